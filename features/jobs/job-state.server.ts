import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { DOWN_MS, JOB_NAMES, type JobName, type JobProblem, jobProblem, type JobState, RECORD_EVERY_MS } from './job-rules.ts'

/** Records runs of jobs for all processes. Runs that succeed are written once a minute, failed ones and the end of a failure at once. */
export class JobRecorder {
  readonly #db: Db
  readonly #recorded = new Map<JobName, { at: number; ok: boolean }>()

  constructor(db: Db) {
    this.#db = db
  }

  async record(name: JobName, ok: boolean): Promise<void> {
    const last = this.#recorded.get(name)
    if (ok && last?.ok && performance.now() - last.at < RECORD_EVERY_MS) return
    this.#recorded.set(name, { at: performance.now(), ok })
    try {
      await (ok ? recordOk(this.#db, name) : recordFailure(this.#db, name))
    } catch (error) {
      // The next run writes again.
      this.#recorded.delete(name)
      throw error
    }
  }
}

async function recordOk(db: Db, name: JobName): Promise<void> {
  await sql`insert into scheduled_jobs (name, last_ok_at) values (${name}, now())
    on conflict (name) do update set last_ok_at = now(), failures = 0, failing_since = null`.execute(db)
}

async function recordFailure(db: Db, name: JobName): Promise<void> {
  await sql`insert into scheduled_jobs as j (name, failures, failing_since) values (${name}, 1, now())
    on conflict (name) do update set failures = j.failures + 1, failing_since = coalesce(j.failing_since, now())`.execute(db)
}

/** Begins to watch the jobs at the start of a process. After a time in which the shop was down, every job has its full time again. */
export async function watchJobs(db: Db): Promise<void> {
  await sql`insert into scheduled_jobs (name) select unnest(${JOB_NAMES}::text[]) on conflict (name) do nothing`.execute(db)
  await sql`update scheduled_jobs set watched_since = now()
    where (select max(last_ok_at) from scheduled_jobs) < now() - make_interval(secs => ${DOWN_MS / 1000})`.execute(db)
}

/** Gives every job its full time again after the clock was set or the machine slept. Those that rest for `restSeconds` have as much more. */
export async function resetLateness(db: Db, resting: readonly JobName[], restSeconds: number): Promise<void> {
  await sql`update scheduled_jobs set last_ok_at = case when last_ok_at <= now() then last_ok_at end,
    watched_since = now() + make_interval(secs => case when name = any(${resting}::text[]) then ${restSeconds} else 0 end)`.execute(db)
}

export interface JobReport extends JobState {
  problem: JobProblem | null
}

/** Every job with its problem, by the clock of the database. A job that was never watched is left out. */
export async function listJobs(db: Db): Promise<JobReport[]> {
  const { rows } = await sql<SnakeCased<JobState> & { now: Date }>`
    select name, last_ok_at as last_ok_at, failures, watched_since as watched_since, now() as now
    from scheduled_jobs where name = any(${JOB_NAMES}::text[])`.execute(db)
  return rows
    .map(({ now, ...row }) => {
      const state = toCamel<JobState>(row)
      return { ...state, problem: jobProblem(state, now) }
    })
    .toSorted((a, b) => JOB_NAMES.indexOf(a.name) - JOB_NAMES.indexOf(b.name))
}
