import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { JOB_NAMES, jobProblem } from './job-rules.ts'
import { JobRecorder, listJobs, watchJobs } from './job-state.server.ts'

const { db } = await testDb()
beforeEach(() => sql`delete from scheduled_jobs`.execute(db))
const stateOf = async (name: string) => (await listJobs(db)).find((job) => job.name === name)

describe('a problem of a job', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  it.each([
    ['ran', { lastOkAt: ago(1) }, null],
    ['failed twice', { lastOkAt: ago(1), failures: 2 }, null],
    ['failed three times', { lastOkAt: ago(1), failures: 3 }, 'failing'],
    ['ran twice its interval and a minute ago', { lastOkAt: ago(121) }, null],
    ['ran longer ago', { lastOkAt: ago(121.1) }, 'late'],
    ['never ran, watched for an hour', { lastOkAt: null, watchedSince: ago(60) }, null],
    ['never ran, watched for three hours', { lastOkAt: null, watchedSince: ago(180) }, 'late'],
    ['ran before the shop was down', { lastOkAt: ago(600), watchedSince: ago(5) }, null],
  ] as const)('%s', (_what, state, expected) => {
    expect(jobProblem({ name: 'delete-expired-rows', failures: 0, watchedSince: ago(10_000), ...state }, now)).toBe(expected)
  })
})

describe('recorded runs', () => {
  it('of all jobs are watched from the start, by several processes', async () => {
    await Promise.all([watchJobs(db), watchJobs(db), watchJobs(db)])
    expect((await listJobs(db)).map(({ name, problem }) => [name, problem])).toEqual(JOB_NAMES.map((name) => [name, null]))
  })

  it('count failures of all processes together, until one succeeds', async () => {
    const [a, b] = [new JobRecorder(db), new JobRecorder(db)]
    await Promise.all([a.record('send-emails', false), b.record('send-emails', false), a.record('send-emails', false)])
    expect(await stateOf('send-emails')).toMatchObject({ failures: 3, problem: 'failing', lastOkAt: null })
    await b.record('send-emails', true)
    expect(await stateOf('send-emails')).toMatchObject({ failures: 0, problem: null, lastOkAt: expect.any(Date) })
  })

  it('that succeed are written once a minute, the first after a failure at once', async () => {
    const recorder = new JobRecorder(db)
    const xmin = async () => (await sql<{ xmin: string }>`select xmin::text from scheduled_jobs`.execute(db)).rows[0]?.xmin
    await recorder.record('sms-balance', true)
    const first = await xmin()
    await recorder.record('sms-balance', true)
    expect(await xmin()).toBe(first)
    await recorder.record('sms-balance', false)
    await recorder.record('sms-balance', true)
    expect(await stateOf('sms-balance')).toMatchObject({ failures: 0 })
    expect(await xmin()).not.toBe(first)
  })

  it('have their full time after the shop was down, and not when one job alone stood still', async () => {
    await watchJobs(db)
    await sql`update scheduled_jobs set last_ok_at = now() - interval '5 hours', watched_since = now() - interval '9 hours'`.execute(db)
    expect((await stateOf('expire-orders'))?.problem).toBe('late')
    await watchJobs(db)
    expect((await stateOf('expire-orders'))?.problem).toBeNull()
    await sql`update scheduled_jobs set last_ok_at = case when name = 'expire-orders' then now() - interval '5 hours' else now() end,
      watched_since = now() - interval '9 hours'`.execute(db)
    await watchJobs(db)
    expect((await listJobs(db)).filter(({ problem }) => problem).map(({ name }) => name)).toEqual(['expire-orders'])
  })
})
