import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import { canLock } from '#features/auth/lock-rules.ts'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { lockNow } from '../admin/lock/lock-now.ts'
import { SwitchForm } from '../admin/lock/switch-form.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { onSwitchElsewhere } from './hand-over.ts'
import { useNeedsNetwork } from './use-needs-network.ts'

/** The cashier at this screen, who is switched by PIN; and the lock. Both need the network: offline the POS sells on. */
export function CashierActions() {
  const { t } = useI18n()
  const { user } = usePageContext()
  const { role } = usePermissions()
  const needsNetwork = useNeedsNetwork()
  const [open, setOpen] = useState(false)
  useEffect(() => onSwitchElsewhere(() => location.reload()), [])
  async function lock() {
    if (!(await lockNow())) showToast(t('lock.switch-offline'), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return (
    <>
      <Button kind="quiet" data-cashier title={t('lock.switch')} onClick={() => needsNetwork() || setOpen(true)}>
        <span className="sr-only">{t('lock.switch')}: </span>
        <span className="max-w-36 truncate underline underline-offset-4">{user?.name}</span>
      </Button>
      {canLock(role) ? (
        <Button kind="quiet" onClick={() => void lock()}>
          {t('lock.lock')}
        </Button>
      ) : null}
      <Dialog open={open} onClose={() => setOpen(false)} title={t('lock.switch')} closeLabel={t('admin.close')}>
        <div className="mt-3">{open ? <SwitchForm /> : null}</div>
      </Dialog>
    </>
  )
}
