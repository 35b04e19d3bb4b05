import type { JobName, JobProblem } from '#features/jobs/job-rules.ts'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

export interface ShownJob {
  name: JobName
  problem: JobProblem | null
  lastOkAt: string | null
}

const CHIPS = { ok: 'chip-leaf', waiting: 'chip-stone', failing: 'chip-terracotta', late: 'chip-terracotta' }

/** `waiting`: the first run is still to come, as of the nightly jobs of a new shop. */
const stateOf = ({ problem, lastOkAt }: ShownJob): keyof typeof CHIPS => problem ?? (lastOkAt === null ? 'waiting' : 'ok')

/** The scheduled jobs with their last run, those with a problem first. */
export function JobList({ jobs }: { jobs: ShownJob[] }) {
  const { t, lang } = useI18n()
  const sorted = [...jobs]
    .sort((a, b) => Number(b.problem !== null) - Number(a.problem !== null))
    .map((job) => ({ ...job, state: stateOf(job) }))
  return (
    <section id="jobs" className="admin-card p-4 sm:p-5" aria-labelledby="jobs-title">
      <h2 id="jobs-title" className="text-lg">
        {t('setup.jobs')}
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {sorted.map(({ name, state, lastOkAt }) => (
          <li key={name} className="flex items-start gap-3 py-2">
            <div className="min-w-0 grow">
              <span className="font-semibold">{t(`setup.job.${name}`)}</span>
              <p className="text-sm text-stone">
                {lastOkAt ? t('setup.jobs.last', { time: formatFullDateTime(new Date(lastOkAt), lang) }) : t('setup.jobs.never')}
              </p>
            </div>
            <span className={`chip ${CHIPS[state]} shrink-0`}>{t(`setup.jobs.state.${state}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
