import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { PlaceOrderState } from './use-place-order.ts'

interface PlaceOrderDialogsProps {
  state: PlaceOrderState
  onClose: () => void
}

/** Why an order was not placed. A placed order has its own page. */
export function PlaceOrderDialogs({ state, onClose }: PlaceOrderDialogsProps) {
  const { t } = useI18n()
  if (state.state === 'no-response') {
    return <FailedDialog lines={[t('place.no-response'), t('place.try-again-safe')]} onClose={onClose} />
  }
  if (state.state !== 'answered' || state.outcome.kind !== 'failed') return null
  const { lines, status } = state.outcome
  const text = t(status === 410 ? 'place.product-gone' : 'place.unexpected')
  return <FailedDialog lines={lines.length > 0 ? lines : [text]} onClose={onClose} />
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
