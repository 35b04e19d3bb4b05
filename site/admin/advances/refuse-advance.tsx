import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { usePreservedState } from '../ui/use-preserved-state.ts'
import { ReasonField } from '../ui/reason-field.tsx'

/** Asks why an advance is taken for not sent. */
export function RejectAdvance(props: { reportId: number; orderId: number; close: () => void; onRefused: (order: AdminOrder) => void }) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const [reason, setReason, reset] = usePreservedState(`refuse-${props.reportId}`, '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function refuse() {
    setBusy(true)
    const written = await adminPost<{ order: AdminOrder }>(`/admin/advances/refuse/${props.reportId}`, { reason })
    setBusy(false)
    if (written.ok) {
      reset()
      props.onRefused(written.body.order)
      props.close()
      return showToast(t('advances.refused'))
    }
    // Another person has decided about the report.
    if (written.saved?.order) {
      props.onRefused(written.saved.order)
      props.close()
    }
    setError(written.errors.reason?.[0])
    if (!written.errors.reason) showFailure(written, t)
  }
  return (
    <Dialog
      open
      onClose={props.close}
      closeLabel={t('admin.close')}
      title={t('advances.refuse-title', { id: localizeDigits(lang, String(props.orderId)) })}
      actions={
        <>
          <Button kind="secondary" onClick={props.close}>
            {t('admin.cancel')}
          </Button>
          <Button kind="danger" busy={isBusy} onClick={refuse}>
            {t('advances.refuse')}
          </Button>
        </>
      }
    >
      <p className="mb-3">{t('advances.refuse-text', { sms: sendsSms })}</p>
      <ReasonField value={reason} error={error} onChange={setReason} />
    </Dialog>
  )
}
