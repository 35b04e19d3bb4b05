import { useI18n, usePageContext } from '#page/page-context.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

/** The pages of payments that the role may open; nothing when there is one only. */
export function PaymentTabs() {
  const { t } = useI18n()
  const { can } = usePermissions()
  const here = usePageContext().path.split('?')[0] ?? ''
  const tabs = [
    { href: '/admin/payments', label: t('money.all'), isShown: can('orders.read') },
    { href: '/admin/payments/days', label: t('money.days'), isShown: can('reports.read') },
    { href: '/admin/payments/accounts', label: t('money.reconciliation'), isShown: can('payments.reconcile') },
  ].filter(({ isShown }) => isShown)
  if (tabs.length < 2) return null
  const current = tabs.filter(({ href }) => here === href || here.startsWith(`${href}/`)).at(-1)?.href
  return <Tabs label={t('admin.nav.payments')} tabs={tabs.map(({ href, label }) => ({ href, label, isCurrent: href === current }))} />
}
