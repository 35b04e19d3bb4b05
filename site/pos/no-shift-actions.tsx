import { ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { useNeedsNetwork } from './use-needs-network.ts'

/** The pages of the POS that need no open shift, for staff who look after the shifts of others too. */
export function NoShiftActions() {
  const { t } = useI18n()
  const { can } = usePermissions()
  const needsNetwork = useNeedsNetwork()
  const link = (page: string, label: string) => (
    <ButtonLink kind="secondary" onClick={needsNetwork} href={`/admin/quick-orders/${page}`}>
      {label}
    </ButtonLink>
  )
  return (
    <>
      {link('sales', t('pos.sales'))}
      {link('shifts', t('pos.shifts'))}
      {can('pos.approve') ? link('code', t('pos.code.title')) : null}
    </>
  )
}
