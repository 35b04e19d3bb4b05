import { useI18n, usePageContext } from '#page/page-context.tsx'
import { Tabs } from '../ui/tabs.tsx'

/** The two lists of advances: those to verify, and all of them. */
export function AdvanceTabs() {
  const { t } = useI18n()
  const here = usePageContext().path.split('?')[0]
  const tabs = [
    { href: '/admin/advances', label: t('advances.to-verify') },
    { href: '/admin/advances/history', label: t('advances.history') },
  ]
  return <Tabs label={t('admin.nav.advances')} tabs={tabs.map((tab) => ({ ...tab, isCurrent: tab.href === here }))} />
}
