import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import { isSent, needsReason, type OrderStatus } from '#features/orders/rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from '../ui/url-query.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { ReasonField } from '../ui/reason-field.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'

/** All orders of the list: their number, and the newest order of the shop when they were counted. */
export interface AllOrders {
  count: number
  up_to: number
  query: string
}

/** Counts all orders of this list's filters; null after an error, which is shown. */
export function useCountAll(): { count(): Promise<AllOrders | null>; isCounting: boolean } {
  const { t } = useI18n()
  const { path } = usePageContext()
  const [isCounting, setCounting] = useState(false)
  async function count() {
    const query = withQuery(path, { ...FIRST_PAGE, rows: null, sort: null, order: null }).split('?')[1] ?? ''
    setCounting(true)
    const found = await call<AllOrders & { message?: string }>(`/api/admin/orders/bulk/count?${new URLSearchParams({ query }).toString()}`)
    setCounting(false)
    if (found.ok) return { ...found.body, query }
    showToast((found.noResponse ? null : found.body?.message) ?? t('admin.no-answer'), { kind: 'error' })
    return null
  }
  return { count, isCounting }
}

/** Confirms the change of all orders of the list and starts it in the background. */
export function AllDialog({ all, to, close }: { all: AllOrders; to: OrderStatus; close: () => void }) {
  const { t, lang } = useI18n()
  const [reason, setReason, reset] = usePreservedState(`bulk-${to}`, '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const count = formatNumber(all.count, lang)
  async function start() {
    if (needsReason(to) && reason.trim() === '') return setError(t('admin-orders.reason-required'))
    setBusy(true)
    const written = await adminPost<{ total: number }>('/admin/orders/bulk', { ...all, status: to, reason }, { once: 'bulk-orders' })
    setBusy(false)
    if (!written.ok) return showFailure(written, t)
    reset()
    location.reload()
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('admin-orders.bulk-title', { count, status: t(`order-status.${to}`) })}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button kind={needsReason(to) ? 'danger' : 'primary'} busy={isBusy} onClick={start}>
            {t('admin-orders.bulk-go')}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <p>{t('admin-orders.all-text')}</p>
        {isSent(to) ? <p className="font-semibold text-terracotta">{t('admin-orders.all-check')}</p> : null}
        {needsReason(to) ? <ReasonField value={reason} error={error} onChange={setReason} /> : null}
      </div>
    </Dialog>
  )
}
