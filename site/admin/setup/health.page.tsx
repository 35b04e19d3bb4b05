import type { Light } from '#features/setup/health-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { HealthList } from './health-list.tsx'
import { JobList, type ShownJob } from './job-list.tsx'
import { OpenShop } from './open-shop.tsx'

export interface Props {
  lights: Light[]
  opening: Settings['opening']
  today: string
  jobs: ShownJob[]
}

/** The traffic lights of the shop, and opening or closing it. */
export function Page({ lights, opening, today, jobs }: Props) {
  const { t } = useI18n()
  const count = lights.filter(({ color }) => color !== 'green').length
  return (
    <AdminLayout
      title={t('admin.nav.health')}
      note={<span className={`chip ${count === 0 ? 'chip-leaf' : 'chip-mango'}`}>{t('setup.health-note', { count })}</span>}
    >
      <div className="grid max-w-3xl gap-4">
        <section className="admin-card p-4 sm:p-5" aria-label={t('admin.nav.health')}>
          <HealthList lights={lights} />
        </section>
        <section className="admin-card p-4 sm:p-5" aria-label={t(opening.isOpen ? 'setup.open-note' : 'setup.closed-bar')}>
          <OpenShop opening={opening} today={today} lights={lights} />
        </section>
        <JobList jobs={jobs} />
      </div>
    </AdminLayout>
  )
}
