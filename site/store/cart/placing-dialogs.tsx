import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import type { PaymentStatus } from '#features/orders/invoice-rules.ts'
import { ConfirmPhone } from '#features/orders/ui/keep-longer.tsx'
import { formatTaka, type Poisha } from '#lib/money.ts'
import { digitsIn } from '#lib/numbers.ts'
import { formatDateTime, formatLongDays } from '#lib/time.ts'
import { call } from '#site/api-client.ts'
import { useI18n } from '#site/app-root.tsx'
import { confirmPhone } from '../confirm-phone.ts'
import type { Placing } from './use-placing.ts'

const HOME_AFTER_MS = 3000

interface PlacingDialogsProps {
  placing: Placing
  /** The sum to send by hand; null for other orders. */
  advance: Poisha | null
  /** The delivery dates of the order. */
  dates: readonly string[]
  /** The order's phone is the account's own, confirmed one. */
  isPhoneConfirmed: boolean
  /** How long the order of a confirmed phone is held. */
  hours: number
  onClose: () => void
}

/** What the shop answered to the order, as dialogs. */
export function PlacingDialogs({ placing, advance, dates, isPhoneConfirmed, hours, onClose }: PlacingDialogsProps) {
  const { t } = useI18n()
  if (placing.state === 'silent') {
    return <FailedDialog lines={[t('place.no-response'), t('place.try-again-safe')]} onClose={onClose} />
  }
  if (placing.state !== 'answered') return null
  const { outcome } = placing
  switch (outcome.kind) {
    case 'failed':
      return (
        <FailedDialog
          lines={outcome.lines.length > 0 ? outcome.lines : [t(outcome.status === 410 ? 'place.product-gone' : 'place.unexpected')]}
          onClose={onClose}
        />
      )
    case 'thanks':
      return <ThanksDialog orderId={outcome.orderId} advance={advance} dates={dates} isPhoneConfirmed={isPhoneConfirmed} hours={hours} />
    case 'free':
      return <FreeDialog />
    default:
      return null
  }
}

function FailedDialog({ lines, onClose }: { lines: string[]; onClose: () => void }) {
  const { t } = useI18n()
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('place.failed')}
      closeLabel={t('shell.close')}
      actions={<Button onClick={onClose}>{t('place.ok')}</Button>}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Dialog>
  )
}

/** Until when an order waits for an advance sent by hand; null for other orders, and before the shop has answered. */
function useDeadline(orderId: number): string | null {
  const [until, setUntil] = useState<string | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    void call<PaymentStatus>(`/payments/status?order=${orderId}`, { cache: 'no-store', signal: gone.signal }).then((answer) => {
      if (!gone.signal.aborted && answer.ok) setUntil(answer.body.expires_at)
    })
    return () => gone.abort()
  }, [orderId])
  return until
}

interface ThanksDialogProps {
  orderId: number
  advance: Poisha | null
  /** The delivery dates of the order; nothing is promised before an advance has come. */
  dates: readonly string[]
  isPhoneConfirmed: boolean
  hours: number
}

function ThanksDialog({ orderId, advance, dates, isPhoneConfirmed, hours }: ThanksDialogProps) {
  const { t, lang } = useI18n()
  const until = useDeadline(orderId)
  const toInvoice = () => location.assign(`/invoice/${orderId}`)
  return (
    <Dialog
      open
      mustAnswer
      onClose={toInvoice}
      title={t('place.thanks')}
      closeLabel={t('shell.close')}
      actions={
        <>
          {until === null || isPhoneConfirmed ? null : <ConfirmPhone onConfirmPhone={() => confirmPhone(orderId, '', t)} />}
          <Button onClick={toInvoice}>{t('place.ok')}</Button>
        </>
      }
    >
      <p>{t('place.thanks-order', { id: digitsIn(lang, String(orderId)) })}</p>
      {advance === null ? null : <p className="mt-1">{t('place.thanks-advance', { amount: formatTaka(advance, lang) })}</p>}
      {advance !== null || dates.length === 0 ? null : (
        <p className="mt-1">{t('invoice.next-day', { day: formatLongDays(dates, lang) })}</p>
      )}
      <p className="mt-1">{t('place.thanks-text')}</p>
      {until === null ? null : (
        <>
          <p className="mt-3 font-semibold">{t('place.thanks-until', { until: formatDateTime(new Date(until), lang) })}</p>
          {isPhoneConfirmed ? null : <p className="mt-1">{t('place.thanks-keep', { hours: digitsIn(lang, String(hours)) })}</p>}
        </>
      )}
    </Dialog>
  )
}

function FreeDialog() {
  const { t } = useI18n()
  useEffect(() => {
    const timer = setTimeout(() => location.assign('/'), HOME_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Dialog open mustAnswer onClose={() => location.assign('/')} title={t('place.success')} closeLabel={t('shell.close')}>
      <p>{t('place.success-home')}</p>
    </Dialog>
  )
}
