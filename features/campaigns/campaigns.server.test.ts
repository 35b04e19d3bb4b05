import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { addOptOut } from '#features/messaging/opt-outs.server.ts'
import { claimSms, recordSmsOutcome } from '#features/messaging/outbox.server.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { DEFAULT_SETTINGS, type Settings } from '../settings/settings.ts'
import { findProgress } from './campaign-queries.server.ts'
import { findStopLink } from './stop-link.server.ts'
import { campaignsOf, clearCampaigns, customers, NIGHT, NOON, ONE_PART, runJob, sendAll } from './testing/campaigns.ts'

// Sending campaigns: each person at most once, never above a budget, never in quiet hours, and never after an opt-out.

const { db, url } = await testDb()
const [shop, twin] = [await openShop({ databaseUrl: url }), await openShop({ databaseUrl: url })]
afterAll(() => expect([...shop.failures, ...twin.failures]).toEqual([]))
const { started, campaign } = campaignsOf(db, await signedIn(shop, 'manager'))
beforeEach(() => clearCampaigns(db))

const outbox = async () =>
  (
    await sql<{
      phone: string
      body: string
      parts: number
    }>`select phone, body, parts from sms_outbox order by phone`.execute(db)
  ).rows
const notReached = async (id: number) =>
  (
    await sql<{
      phone: string
      reason: string
    }>`select phone, reason from campaign_people where campaign_id = ${id} and state = 'skipped' order by phone`.execute(db)
  ).rows

describe('a campaign', () => {
  it('reaches each person once, with a link that is theirs, and is done', async () => {
    const phones = await customers(db, 60)
    const id = await started()
    expect(await campaign(id)).toMatchObject({ total: 60, waiting: 60, sent: 0, state: 'running' })
    const sent: string[] = []
    while ((await runJob(shop)) > 0) sent.push(...(await sendAll(db)))
    expect(sent.sort()).toEqual(phones.sort())
    for (const { phone, body, parts } of await outbox()) {
      const token = /\/stop\/(\w+)$/.exec(body)?.[1] ?? ''
      expect([body.startsWith(ONE_PART), (await findStopLink(db, token))?.phone, parts]).toEqual([true, phone, 1])
    }
    await runJob(shop)
    expect(await campaign(id)).toMatchObject({ state: 'done', sent: 60, waiting: 0, not_reached: 0, parts_used: 60 })
    expect(await runJob(shop)).toBe(0)
  })

  it('puts few SMS into the outbox at a time', async () => {
    await customers(db, 60)
    await started()
    expect([await runJob(shop), await runJob(shop), (await outbox()).length]).toEqual([25, 0, 25])
  })

  it('does not block another one by its error', async () => {
    const phones = await customers(db, 2)
    const broken = await started()
    await started()
    // More parts than the outbox takes: the address of the shop became longer.
    await sql`update campaigns set text_bn = repeat('ক', 500) where id = ${broken}`.execute(db)
    await expect(runJob(shop)).rejects.toThrow('sms_outbox_parts')
    expect(await sendAll(db)).toEqual(phones)
  })

  it('leaves out closed accounts and who opted out, also later than the start', async () => {
    const [first, second, third, fourth, fifth] = await customers(db, 5)
    await addOptOut(db, first!, 'staff')
    await sql`update users set disabled_at = now() where phone = ${second!}`.execute(db)
    const id = await started()
    expect(await campaign(id)).toMatchObject({ total: 3 })
    await addOptOut(db, third!, 'link')
    await sql`update users set phone = '01777777777' where phone = ${fourth!}`.execute(db)
    await runJob(shop)
    expect([await sendAll(db), await notReached(id)]).toEqual([
      [fifth],
      [
        { phone: third, reason: 'opted-out' },
        { phone: fourth, reason: 'closed' },
      ],
    ])
  })

  it('checks opt-outs again when the SMS is claimed', async () => {
    const [one] = await customers(db, 1)
    const id = await started()
    await runJob(shop)
    await addOptOut(db, one!, 'link')
    expect(await sendAll(db)).toEqual([])
    expect(await campaign(id)).toMatchObject({ not_reached: 1, waiting: 0 })
    expect((await sql`select failure from sms_outbox`.execute(db)).rows).toEqual([{ failure: 'opted-out' }])
    expect((await sql`select * from sms_days`.execute(db)).rows).toEqual([])
  })

  it('waits for its time and for the end of quiet hours', async () => {
    await customers(db, 3)
    await started({ starts_at: '2026-11-26T12:00' })
    expect([await runJob(shop), await runJob(shop, { at: new Date('2026-11-26T06:00:01Z') })]).toEqual([0, 3])
    expect(await claimSms(db, { daily: 100, campaign: 0 })).toBeNull()
    await sql`truncate campaigns cascade`.execute(db)
    await started()
    expect([await runJob(shop, { at: NIGHT }), await runJob(shop)]).toEqual([0, 3])
  })

  it.each([
    [true, 'Mangoes for Tk 100'],
    [false, ONE_PART],
  ])('sends English to who ordered in English, while the shop allows it (%s)', async (sms_english, text) => {
    const [one, two] = await customers(db, 2)
    await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
      payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, source, lang) select id, name, phone, 'x', 0, 0, 0, 0, 'full', 'NONE', 0,
      '2026-01-01', '2026-01-01', 'v1', 't1', 'legacy', 'en' from users where phone = ${two!}`.execute(db)
    await sql`insert into settings (key, value) values ('sms_english', 'true') on conflict (key) do update set value = 'true'`.execute(db)
    shop.deps.catalogRevision.advance()
    try {
      await started({ text_en: 'Mangoes for ৳100' })
      await runJob(shop, { settings: { sms_english } })
    } finally {
      await sql`delete from settings where key = 'sms_english'`.execute(db)
      shop.deps.catalogRevision.advance()
    }
    const texts = await outbox()
    expect(texts.map(({ phone, body }) => [phone, body.split('\n')[0]])).toEqual([
      [one, ONE_PART],
      [two, text],
    ])
  })
})

describe('budgets, in SMS parts', () => {
  it('a day without a part for campaigns is not called quiet hours', async () => {
    await customers(db, 1)
    const id = await started()
    const waits = async (settings: Partial<Settings>, at = NOON) =>
      (await findProgress(db, id, { ...DEFAULT_SETTINGS, ...settings }, at))?.waits
    expect([await waits({ sms_daily_limit: 1 }), await waits({}), await waits({}, NIGHT)]).toEqual(['budget', null, 'quiet'])
    await sql`update sms_provider set problem = 'balance', problem_since = now()`.execute(db)
    try {
      expect(await waits({})).toBe('provider')
    } finally {
      await sql`update sms_provider set problem = null, problem_since = null`.execute(db)
    }
  })

  const TWO_PARTS = 'ক'.repeat(60)

  it('the last part of a day, which is too little for the next SMS, is a used-up budget', async () => {
    await customers(db, 2)
    const id = await started({ text_bn: TWO_PARTS })
    const settings = { ...DEFAULT_SETTINGS, sms_daily_limit: 4 }
    expect(await runJob(shop, { settings })).toBe(1)
    await sendAll(db)
    expect(await runJob(shop, { settings })).toBe(0)
    expect((await findProgress(db, id, settings, NOON))?.waits).toBe('budget')
  })

  it('the campaign’s own: nobody beyond it', async () => {
    await customers(db, 10)
    const id = await started({ text_bn: TWO_PARTS, parts_limit: 7 })
    while ((await runJob(shop)) > 0) await sendAll(db)
    expect(await sendAll(db)).toEqual([])
    await runJob(shop)
    expect(await campaign(id)).toMatchObject({ state: 'done', sent: 3, not_reached: 7, parts_used: 6 })
    expect(new Set((await notReached(id)).map(({ reason }) => reason))).toEqual(new Set(['budget']))
  })

  it('the campaign’s own is what its people need where the author sets none', async () => {
    await customers(db, 4)
    const id = await started({ text_bn: TWO_PARTS, parts_limit: '' })
    while ((await runJob(shop)) > 0) await sendAll(db)
    await runJob(shop)
    expect(await campaign(id)).toMatchObject({ state: 'done', sent: 4, not_reached: 0, parts_limit: 8, parts_used: 8 })
  })

  it('the day’s: campaigns use four fifths of it, when queued and when claimed', async () => {
    await customers(db, 10)
    const id = await started({ text_bn: TWO_PARTS })
    const settings = { sms_daily_limit: 10 }
    expect([await runJob(shop, { settings }), (await outbox()).length]).toEqual([4, 4])
    const claimed = await Promise.all(Array.from({ length: 10 }, () => claimSms(db, { daily: 10, campaign: 5 })))
    expect(claimed.filter(Boolean)).toHaveLength(2)
    expect((await sql`select sent from sms_days`.execute(db)).rows).toEqual([{ sent: 4 }])
    expect(await runJob(shop, { settings })).toBe(0)
    await sql`update sms_days set day = day - 1`.execute(db)
    expect(await runJob(shop, { settings })).toBe(2)
    expect(await campaign(id)).toMatchObject({ parts_used: 12 })
  })

  it('a rejected SMS that was claimed before midnight gives its parts back to that day, once', async () => {
    await customers(db, 1)
    await started({ text_bn: TWO_PARTS })
    await runJob(shop)
    const sms = (await claimSms(db, { daily: 10, campaign: 10 }))!
    await sql`update sms_outbox set updated_at = updated_at - interval '1 day'`.execute(db)
    await sql`update sms_days set day = day - 1`.execute(db)
    await sql`insert into sms_days (day, sent) values ((now() at time zone 'Asia/Dhaka')::date, 7)`.execute(db)
    const outcome = { state: 'rejected', code: 'ECONNREFUSED', canRetry: true, problem: null } as const
    for (let time = 0; time < 2; time += 1) await recordSmsOutcome(db, sms, outcome, false)
    expect((await sql`select sent from sms_days order by day`.execute(db)).rows).toEqual([{ sent: 0 }, { sent: 7 }])
  })

  it('a rejected SMS gives its parts back to the day, and is tried again', async () => {
    await customers(db, 1)
    await started({ text_bn: TWO_PARTS })
    await runJob(shop)
    const sms = (await claimSms(db, { daily: 10, campaign: 10 }))!
    await recordSmsOutcome(db, sms, { state: 'rejected', code: 'ECONNREFUSED', canRetry: true, problem: null }, false)
    expect((await sql`select sent from sms_days`.execute(db)).rows).toEqual([{ sent: 0 }])
    await sql`update sms_outbox set not_before = now()`.execute(db)
    expect(await sendAll(db)).toHaveLength(1)
  })

  it.each([
    ['the account', { code: '1032', problem: 'account' }],
    ['the provider', { code: '1005', problem: null }],
  ] as const)('an SMS that waits for %s is not given up: nobody can send it again by hand', async (_what, { code, problem }) => {
    await customers(db, 1)
    await started()
    await runJob(shop)
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const sms = (await claimSms(db, { daily: 10, campaign: 10 }))!
      expect(sms, `attempt ${attempt}`).not.toBeNull()
      await recordSmsOutcome(db, sms, { state: 'rejected', code, canRetry: true, problem }, false)
      await sql`update sms_outbox set not_before = now()`.execute(db)
      await sql`update sms_provider set paused_until = null`.execute(db)
    }
    expect(await sendAll(db)).toHaveLength(1)
  })

  it('the previous version claims no campaign', async () => {
    await customers(db, 1)
    await started()
    await runJob(shop)
    expect((await sql`select * from claim_sms(1000)`.execute(db)).rows).toEqual([])
  })
})

describe('several processes', () => {
  it('send each person at most once, also when connections are killed', async () => {
    const phones = await customers(db, 200)
    const id = await started({ parts_limit: 150 })
    const sent: string[] = []
    let isOver = false
    const worker = async (process: typeof shop) => {
      for (let i = 0; i < 12; i++) {
        await runJob(process).catch(() => {})
        sent.push(...(await sendAll(db).catch(() => [])))
      }
    }
    const killer = async () => {
      while (!isOver)
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and query like '%campaign%' order by random() limit 1`
          .execute(db)
          .catch(() => {})
          .then(() => new Promise((resolve) => setTimeout(resolve, 15)))
    }
    const killing = killer()
    await Promise.all([worker(shop), worker(twin), worker(shop), worker(twin)])
    isOver = true
    await killing
    while ((await runJob(shop)) > 0) sent.push(...(await sendAll(db)))
    sent.push(...(await sendAll(db)))
    expect(new Set(sent).size).toBe(sent.length)
    const { rows } = await sql<{ used: number; parts: number }>`select (select parts_used from campaigns where id = ${id}) as used,
      (select sum(parts)::int from sms_outbox) as parts`.execute(db)
    expect(rows).toEqual([{ used: 150, parts: 150 }])
    expect((await outbox()).length).toBe(150)
    expect(phones.length - (await notReached(id)).length).toBe(150)
  })
})
