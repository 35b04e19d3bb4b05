import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import type { PaymentInReview } from '#features/orders/payments/gateway-payments.server.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { AlertIcon, CheckIcon } from '../ui/icons.tsx'
import { ReasonField } from '../ui/reason-field.tsx'

interface ReviewProps {
  review: PaymentInReview
  onDecided: (order: AdminOrder) => void
}

/** The sum of a payment in review; another currency is named. */
export function usePaidSum(): (review: PaymentInReview) => string {
  const { lang } = useI18n()
  return ({ paid, currency }) => (currency === 'BDT' ? money(paid, lang) : `${paid} ${currency}`)
}

/** The reason why a payment waits for the staff. */
export function useReviewReason(): (review: PaymentInReview) => string {
  const { t, lang } = useI18n()
  return ({ why, asked }) =>
    why === 'risky-payment' ? t('review.risky-payment') : t('review.payment-mismatch', { asked: money(asked, lang) })
}

/** A payment in review on the order's page, with both decisions. */
export function PaymentReview({ review, onDecided }: ReviewProps) {
  const { t, lang } = useI18n()
  const reason = useReviewReason()
  const sum = usePaidSum()
  return (
    <div className="mt-3 rounded-card border border-terracotta bg-terracotta-100/60 p-3 text-sm">
      <p className="flex justify-between gap-3">
        <span className="flex min-w-0 gap-1.5 font-semibold text-terracotta">
          <AlertIcon size={18} className="mt-0.5 shrink-0" />
          {t('review.title')}
        </span>
        <b className="tabular-nums whitespace-nowrap">{sum(review)}</b>
      </p>
      <p>{reason(review)}</p>
      <p className="text-stone">
        {t(`gateway.${review.gateway}`)} <span className="tabular-nums break-all select-all">{review.transaction}</span> ·{' '}
        {formatDateTime(new Date(review.at), lang)}
      </p>
      <div className="mt-2">
        <ReviewButtons review={review} onDecided={onDecided} />
      </div>
    </div>
  )
}

/** Buttons to accept and reject a reviewed payment; each confirms its effects first. */
export function ReviewButtons({ review, onDecided }: ReviewProps) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  const { can } = usePermissions()
  const sum = usePaidSum()
  const { ask, dialog } = useConfirm()
  const [isBusy, setBusy] = useState(false)
  const [isRejecting, setRejecting] = useState(false)
  async function accept() {
    const title = t('review.accept-title', { amount: sum(review) })
    if (!(await ask({ title, text: t('review.accept-text', { sms: sendsSms }), action: t('review.accept'), kind: 'primary' }))) return
    setBusy(true)
    const url = `/admin/payments/accept/${review.id}`
    const written = await adminPost<{ order: AdminOrder }>(url, {}, { timeoutMs: GATEWAY_WAIT_MS })
    setBusy(false)
    if (!written.ok) {
      showFailure(written, t)
      if (written.saved?.order) onDecided(written.saved.order)
      return
    }
    onDecided(written.body.order)
    showToast(t('review.accepted'))
  }
  if (!can('payments.write')) return null
  return (
    <div className="flex flex-wrap gap-2 max-md:justify-end xl:flex-nowrap">
      <Button size="small" className="whitespace-nowrap" busy={isBusy} onClick={accept}>
        <CheckIcon size={17} />
        {t('review.accept')}
      </Button>
      {can('payments.refund') ? (
        <Button size="small" kind="quiet" className="whitespace-nowrap" onClick={() => setRejecting(true)}>
          {t('review.refuse')}
        </Button>
      ) : null}
      {isRejecting ? <RejectPayment review={review} onDecided={onDecided} close={() => setRejecting(false)} /> : null}
      {dialog}
    </div>
  )
}

function RejectPayment({ review, onDecided, close }: ReviewProps & { close: () => void }) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  const sum = usePaidSum()
  const [reason, setReason, reset] = usePreservedState(`refuse-payment-${review.id}`, '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function refuse() {
    setBusy(true)
    const url = `/admin/payments/refuse/${review.id}`
    const written = await adminPost<{ order: AdminOrder; refunds: string[] }>(url, { reason }, { timeoutMs: GATEWAY_WAIT_MS })
    setBusy(false)
    if (!written.ok) {
      setError(written.errors.reason?.[0])
      if (!written.errors.reason) showFailure(written, t)
      if (!written.saved?.order) return
      reset()
      close()
      return onDecided(written.saved.order)
    }
    reset()
    close()
    onDecided(written.body.order)
    const isFailed = written.body.refunds.includes('failed')
    showToast(t(isFailed ? 'review.refused-refund-failed' : 'review.refused'), { kind: isFailed ? 'error' : 'success' })
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('review.refuse-title', { amount: sum(review) })}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button kind="danger" busy={isBusy} onClick={refuse}>
            {t('review.refuse')}
          </Button>
        </>
      }
    >
      <p className="mb-3">{t('review.refuse-text', { gateway: t(`gateway.${review.gateway}`), sms: sendsSms })}</p>
      <ReasonField value={reason} error={error} onChange={setReason} />
    </Dialog>
  )
}
