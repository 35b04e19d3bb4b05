import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { watchJobs } from '#features/jobs/job-state.server.ts'
import { testDb } from '#test/db.ts'
import { addShopMetrics } from './shop-metrics.ts'

const { db } = await testDb()

/** The value of a series as a scrape shows it. */
async function valueOf(series: string): Promise<number> {
  const registry = new Registry()
  await addShopMetrics(registry, db).prepare()
  const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1) ?? NaN)
}

it('gives hourly jobs their full time after a pause of the shop, so that a start is no alarm', async () => {
  await watchJobs(db)
  await sql`update scheduled_jobs set watched_since = now() - interval '5 hours', last_ok_at = now() - interval '5 hours'`.execute(db)
  expect(await valueOf('khamar_job_ok_age_seconds{job="delete-expired-rows"}')).toBeGreaterThan(17_000)
  await watchJobs(db)
  expect(await valueOf('khamar_job_ok_age_seconds{job="delete-expired-rows"}')).toBeLessThan(60)
})

it('shows whether visitors can enter', async () => {
  const close = sql`insert into settings (key, value) values ('opening', '{"isOpen": false, "opensOn": ""}')
    on conflict (key) do update set value = excluded.value`
  await close.execute(db)
  expect(await valueOf('khamar_open')).toBe(0)
  await sql`delete from settings where key = 'opening'`.execute(db)
  expect(await valueOf('khamar_open')).toBe(1)
})
