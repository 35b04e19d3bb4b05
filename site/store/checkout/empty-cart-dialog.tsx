import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'

/** Explains why an empty cart has no next step. */
export function EmptyCartDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { t } = useI18n()
  return (
    <Dialog
      open={isOpen}
      onClose={close}
      title={t('cart.empty')}
      closeLabel={t('shell.close')}
      actions={<Button onClick={close}>{t('place.ok')}</Button>}
    >
      <p>{t('cart.empty-warning')}</p>
    </Dialog>
  )
}
