import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { DevicesDialog } from './hardware/devices-dialog.tsx'
import { useNeedsNetwork } from './use-needs-network.ts'

/** What is seldom needed during a shift, in a list behind one button: the bar has no room for it. */
export function MoreActions() {
  const { t } = useI18n()
  const { can } = usePermissions()
  const needsNetwork = useNeedsNetwork()
  const [open, setOpen] = useState<'list' | 'devices' | null>(null)
  // The list reports its end when the devices are already open.
  const close = (what: typeof open) => setOpen((now) => (now === what ? null : now))
  return (
    <>
      <Button kind="quiet" aria-haspopup="dialog" onClick={() => setOpen('list')}>
        {t('pos.more-actions')}
      </Button>
      <Dialog narrow open={open === 'list'} onClose={() => close('list')} title={t('pos.more-actions')} closeLabel={t('admin.close')}>
        <div className="mt-4 grid gap-2">
          <Button kind="secondary" full onClick={() => setOpen('devices')}>
            {t('pos.devices')}
          </Button>
          <ButtonLink kind="secondary" full onClick={needsNetwork} href="/admin/quick-orders/shifts">
            {t('pos.shifts')}
          </ButtonLink>
          {can('pos.approve') ? (
            <ButtonLink kind="secondary" full onClick={needsNetwork} href="/admin/quick-orders/code">
              {t('pos.code.title')}
            </ButtonLink>
          ) : null}
        </div>
      </Dialog>
      {open === 'devices' ? <DevicesDialog onClose={() => close('devices')} /> : null}
    </>
  )
}
