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

it('shows that the database is away and no number of it, at the first scrape and later; and the numbers when it is back', async () => {
  await watchJobs(db)
  let isAway = true
  const sometimes = new Proxy(db, {
    get(target, name) {
      if (isAway) throw new Error('connect ECONNREFUSED')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const registry = new Registry()
  let time = 0
  const { prepare } = addShopMetrics(registry, sometimes, () => time)
  const scrape = async () => {
    // The numbers of the last read; a second scrape shows those that it has begun to read.
    time += 11_000
    await prepare()
    await prepare()
    await new Promise(setImmediate)
    return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }
  expect(await scrape()).toEqual(['khamar_database_up 0'])
  expect(await scrape()).toEqual(['khamar_database_up 0'])
  isAway = false
  await expect.poll(scrape).toEqual(expect.arrayContaining(['khamar_database_up 1', 'khamar_open 1', 'khamar_sms_queued 0']))
  isAway = true
  await expect.poll(scrape).toEqual(['khamar_database_up 0'])
})
