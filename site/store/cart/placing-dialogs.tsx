import { useEffect } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { formatTaka, type Poisha } from '#lib/money.ts'
import { digitsIn } from '#lib/numbers.ts'
import { useI18n } from '#site/app-root.tsx'
import type { Placing } from './use-placing.ts'

const HOME_AFTER_MS = 3000

/** What the shop answered to the order, as dialogs. `advance`: the sum to send by hand, when the order was booked so. */
export function PlacingDialogs({ placing, advance, onClose }: { placing: Placing; advance: Poisha | null; onClose: () => void }) {
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
      return <ThanksDialog orderId={outcome.orderId} advance={advance} />
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

function ThanksDialog({ orderId, advance }: { orderId: number; advance: Poisha | null }) {
  const { t, lang } = useI18n()
  const toInvoice = () => location.assign(`/invoice/${orderId}`)
  return (
    <Dialog
      open
      mustAnswer
      onClose={toInvoice}
      title={t('place.thanks')}
      closeLabel={t('shell.close')}
      actions={<Button onClick={toInvoice}>{t('place.ok')}</Button>}
    >
      <p>{t('place.thanks-order', { id: digitsIn(lang, String(orderId)) })}</p>
      {advance === null ? null : <p className="mt-1">{t('place.thanks-advance', { amount: formatTaka(advance, lang) })}</p>}
      <p className="mt-1">{t('place.thanks-text')}</p>
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
