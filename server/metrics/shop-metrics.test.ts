import { type RawBuilder, sql } from 'kysely'
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, it } from 'vitest'
import { watchJobs } from '#features/jobs/job-state.server.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
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
  expect(await valueOf('khamar_job_ok_age_seconds{scheduled_job="delete-expired-rows"}')).toBeGreaterThan(17_000)
  await watchJobs(db)
  expect(await valueOf('khamar_job_ok_age_seconds{scheduled_job="delete-expired-rows"}')).toBeLessThan(60)
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

describe('the age of the oldest message', () => {
  const OLD = sql`now() - interval '20 minutes'`
  const LATER = sql`now() + interval '4 minutes'`
  const waitingSms = (row: RawBuilder<unknown>) =>
    sql`insert into sms_outbox (template, phone, body, created_at, purpose, not_before, failure, campaign_id)
      values ('test', '01711000009', 'x', ${OLD}, ${row})`.execute(db)
  const waitingEmail = (row: RawBuilder<unknown>) =>
    sql`insert into email_outbox (event_key, kind, recipient, created_at, not_before, failure, expires_at)
      values ('test', 'alarm', 'staff@mail.example', ${OLD}, ${row})`.execute(db)
  const ages = async () => Promise.all(['khamar_sms_oldest_seconds', 'khamar_email_oldest_seconds'].map(valueOf))
  beforeEach(async () => {
    await sql`delete from sms_outbox`.execute(db)
    await sql`delete from email_outbox`.execute(db)
    await sql`update sms_provider set problem = null, problem_since = null`.execute(db)
  })

  it('grows while the company rejects it, although its next attempt comes later', async () => {
    await waitingSms(sql`'order', ${LATER}, '1007', null`)
    await waitingEmail(sql`${LATER}, 'EAUTH', now() + interval '1 day'`)
    for (const age of await ages()) expect(age).toBeGreaterThanOrEqual(1_200)
  })

  it('begins again with an SMS that staff send again', async () => {
    await waitingSms(sql`'order', now(), null, null`)
    expect((await ages())[0]).toBeLessThan(60)
  })

  it('leaves out SMS of campaigns, which wait for the morning, and those of a shop without a provider', async () => {
    const { id } = await buildUser(db, { role: 'owner' })
    await sql`insert into campaigns (name, text_en, filter, total, parts_limit, started_by) values ('Eid', 'x', '', 1, 1, ${id})`.execute(
      db,
    )
    await waitingSms(sql`'campaign', ${OLD}, null, (select max(id) from campaigns)`)
    expect((await ages())[0]).toBe(0)
    await waitingSms(sql`'order', ${OLD}, null, null`)
    expect((await ages())[0]).toBeGreaterThanOrEqual(1_200)
    await sql`update sms_provider set problem = 'not-configured', problem_since = now()`.execute(db)
    expect((await ages())[0]).toBe(0)
  })

  it('leaves out emails that nobody sends any more, because the settings of email were removed', async () => {
    await waitingEmail(sql`${OLD}, 'EAUTH', now() - interval '1 minute'`)
    expect((await ages())[1]).toBe(0)
  })
})
