import { useI18n } from '#site/app-root.tsx'
import { OfficeLayout } from './ui/layout.tsx'

/** What is to be done today. */
export function Page() {
  const { t } = useI18n()
  return <OfficeLayout title={t('office.nav.dashboard')}>{null}</OfficeLayout>
}
