import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import { useI18n } from '#page/page-context.tsx'

/** A password that is good once and shown once. */
export function PasswordOnce({ name, password, close }: { name: string; password: string; close: () => void }) {
  const { t } = useI18n()
  async function copy() {
    try {
      await navigator.clipboard.writeText(password)
      showToast(t('staff.password-copied'))
    } catch {
      // Forbidden, or a page without https.
      showToast(t('staff.password-not-copied'), { kind: 'error' })
    }
  }
  return (
    <Dialog
      open
      mustAnswer
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('staff.password-title', { name })}
      actions={
        <>
          <Button kind="secondary" onClick={() => void copy()}>
            {t('staff.password-copy')}
          </Button>
          <Button onClick={close}>{t('staff.password-done')}</Button>
        </>
      }
    >
      <p className="tabular-nums my-3 rounded-card bg-sand px-3 py-3 text-center text-xl font-semibold tracking-wide select-all">
        {password}
      </p>
      <p>{t('staff.password-text')}</p>
    </Dialog>
  )
}
