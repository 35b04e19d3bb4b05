import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { Placing } from './use-place-order.ts'

interface PlacingDialogsProps {
  placing: Placing
  onClose: () => void
}

/** Why an order was not placed. What was placed has a page of its own. */
export function PlacingDialogs({ placing, onClose }: PlacingDialogsProps) {
  const { t } = useI18n()
  if (placing.state === 'silent') {
    return <FailedDialog lines={[t('place.no-response'), t('place.try-again-safe')]} onClose={onClose} />
  }
  if (placing.state !== 'answered' || placing.outcome.kind !== 'failed') return null
  const { lines, status } = placing.outcome
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
