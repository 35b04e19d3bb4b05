import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { claimSms, recordSmsOutcome } from '#features/messaging/outbox.server.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { campaignsOf, clearCampaigns, customers, runJob, sendAll } from './testing/campaigns.ts'

// Starting, pausing and stopping campaigns.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const [manager, sales, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]
const owner = await signedIn(shop, 'owner')
const { start, started, control, campaign } = campaignsOf(db, manager)
beforeEach(() => clearCampaigns(db))

describe('pause, resume and stop', () => {
  it('a paused campaign sends nothing, and goes on where it was', async () => {
    await customers(db, 30)
    const id = await started()
    await runJob(shop)
    const claimed = (await claimSms(db, { daily: 100, campaign: 100 }))!
    expect((await control(id, 'pause')).status).toBe(200)
    expect([await sendAll(db), await runJob(shop), (await campaign(id)).parts_used]).toEqual([[], 0, 1])
    // A rejected SMS comes back to the outbox, and waits there too.
    await recordSmsOutcome(db, claimed, { state: 'rejected', code: 'http-500', canRetry: true, problem: null }, false)
    await sql`update sms_outbox set not_before = now()`.execute(db)
    expect(await sendAll(db)).toEqual([])
    expect((await control(id, 'resume')).status).toBe(200)
    const sent: string[] = []
    do sent.push(...(await sendAll(db)))
    while ((await runJob(shop)) > 0)
    expect([sent.length, new Set(sent).size]).toEqual([30, 30])
  })

  it('a campaign that could not begin for a day, because the shop was down, waits until a person resumes it', async () => {
    await customers(db, 3)
    const id = await started({ starts_at: '2026-11-21T12:00' })
    const at = new Date('2026-11-22T06:00:01Z')
    expect(await runJob(shop, { at })).toBe(0)
    expect((await campaign(id)).state).toBe('paused')
    const { rows } = await sql`select before, after from audit_log where subject = 'campaign' order by id desc limit 1`.execute(db)
    expect(rows).toEqual([{ before: { state: 'running' }, after: { state: 'paused', why: 'late' } }])
    const began = shop.clock.now
    onTestFinished(() => void (shop.clock.now = began))
    shop.clock.now = at
    await sql`update sessions set last_seen_at = ${at}, expires_at = ${at}::timestamptz + interval '1 day'`.execute(db)
    expect((await control(id, 'resume')).status).toBe(200)
    expect(await runJob(shop, { at })).toBe(3)
  })

  it.each([0, 1])('a campaign for which SMS about orders left no room %i days ago goes on', async (ago) => {
    await customers(db, 3)
    const id = await started({ starts_at: '2026-11-21T12:00' })
    await sql`insert into sms_days (day, sent) values ((now() at time zone 'Asia/Dhaka')::date - ${ago}::int, 1600)`.execute(db)
    expect(await runJob(shop, { at: new Date('2026-11-22T06:00:01Z') })).toBe(ago === 0 ? 0 : 3)
    expect((await campaign(id)).state).toBe('running')
  })

  it('a campaign that has begun goes on after days', async () => {
    await customers(db, 30)
    await started()
    expect(await runJob(shop, { at: new Date('2026-11-20T06:00:01Z') })).toBe(25)
    await sendAll(db)
    expect(await runJob(shop, { at: new Date('2026-11-25T06:00:00Z') })).toBe(5)
  })

  it('a campaign that waits a day for its turn, because another uses up the budget, goes on', async () => {
    await customers(db, 30)
    const [, second] = [await started(), await started()]
    const settings = { sms_daily_limit: 10 }
    expect(await runJob(shop, { at: new Date('2026-11-20T06:00:01Z'), settings })).toBe(8)
    await runJob(shop, { at: new Date('2026-11-21T06:00:02Z'), settings })
    expect(await campaign(second)).toMatchObject({ state: 'running', parts_used: 0 })
  })

  it('a stopped campaign ends', async () => {
    await customers(db, 30)
    const id = await started()
    await runJob(shop)
    await claimSms(db, { daily: 100, campaign: 100 })
    expect((await control(id, 'stop')).status).toBe(200)
    await sql`update sms_outbox set state = 'queued', not_before = now()`.execute(db)
    expect([await sendAll(db), await runJob(shop)]).toEqual([[], 0])
    expect(await campaign(id)).toMatchObject({ state: 'stopped', not_reached: 30, waiting: 0 })
    for (const action of ['pause', 'resume', 'stop']) expect((await control(id, action)).status).toBe(409)
  })

  it('a campaign whose author may no longer send one waits until another manager resumes it', async () => {
    await customers(db, 3)
    const id = await started()
    await runJob(shop)
    const authorIs = (column: string, value: unknown) =>
      sql`update users set ${sql.ref(column)} = ${value} where id = ${manager.id}`.execute(db)
    for (const [column, off, on] of [
      ['disabled_at', new Date(), null],
      ['role', 'sales', 'manager'],
    ] as const) {
      await authorIs(column, off)
      expect([await runJob(shop), await sendAll(db)]).toEqual([0, []])
      await authorIs(column, on)
      expect((await campaign(id)).state).toBe('paused')
      const { rows } = await sql`select actor_id, before, after from audit_log where subject = 'campaign' order by id desc limit 1`.execute(
        db,
      )
      expect(rows).toEqual([{ actor_id: null, before: { state: 'running' }, after: { state: 'paused', why: 'author' } }])
      expect((await control(id, 'resume')).status).toBe(200)
      expect(await runJob(shop)).toBe(3)
    }
    await authorIs('role', 'sales')
    await runJob(shop)
    expect((await control(id, 'resume', owner)).status).toBe(200)
    expect([await runJob(shop), (await sendAll(db)).length]).toEqual([3, 3])
    await authorIs('role', 'manager')
  })

  it('wrong actions, campaigns and roles are rejected', async () => {
    await customers(db, 1)
    const id = await started()
    expect((await control(id, 'explode')).status).toBe(422)
    expect((await control(999_999_999, 'stop')).status).toBe(404)
    for (const who of [sales, viewer]) expect((await control(id, 'stop', who)).status).toBe(403)
    expect((await manager.post(`/admin/sms/campaigns/${id}/stop`, {}, { token: null })).status).toBe(403)
    expect((await campaign(id)).state).toBe('running')
  })
})

describe('starting', () => {
  it.each([
    [{ text_bn: '' }, 'text_bn'],
    [{ text_bn: '', text_en: 'English only' }, 'text_bn'],
    [{ text_en: 'a\u0000' }, 'text_en'],
    // Texts about orders have fields; a campaign would send the braces.
    [{ text_bn: 'প্রিয় {name}, আম এসেছে' }, 'text_bn'],
    [{ text_en: 'Dear { Name }' }, 'text_en'],
    [{ name: '' }, 'name'],
    [{ parts_limit: 0 }, 'parts_limit'],
    [{ parts_limit: '1e9' }, 'parts_limit'],
    [{ parts_limit: 'many' }, 'parts_limit'],
    [{ starts_at: 'tomorrow' }, 'starts_at'],
    [{ starts_at: '2099-01-01T10:00' }, 'starts_at'],
    // It would go out now, while its author thinks of tomorrow.
    [{ starts_at: '2026-11-20T11:45' }, 'starts_at'],
    [{ query: 5 }, 'query'],
    [{ count: -1 }, 'count'],
  ])('%j is rejected at its field', async (more, field) => {
    await customers(db, 2)
    const { status, body } = await start(more)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
    expect((await sql`select 1 from campaigns`.execute(db)).rows).toEqual([])
  })

  it('too long a text is rejected at its field, with its link', async () => {
    await customers(db, 1)
    for (const more of [{ text_bn: 'ক'.repeat(380) }, { text_bn: 'ক'.repeat(1001) }, { text_en: 'a'.repeat(900) }]) {
      const { status, body } = await start(more)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, Object.keys(more)])
    }
  })

  it('a request that is repeated after a reload starts nothing, although the list has changed', async () => {
    await customers(db, 3)
    const key = randomUUID()
    const first = await start({}, { key })
    await buildUser(db, { name: 'Later' })
    const again = await start({}, { key })
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    expect((await start({ text_bn: 'অন্য' }, { key })).status).toBe(409)
    expect((await sql`select 1 from campaigns`.execute(db)).rows).toHaveLength(1)
  })

  it('fixes the people that were confirmed', async () => {
    await customers(db, 3)
    const { up_to } = (await sql<{ up_to: number }>`select max(id) as up_to from users`.execute(db)).rows[0]!
    await buildUser(db, { name: 'Later' })
    const id = await started({ up_to })
    expect((await campaign(id)).total).toBe(3)
    expect((await start({ count: 2 })).status).toBe(409)
    expect((await start({ query: 'due=yes' })).status).toBe(422)
    expect((await start({ query: 'q=01900000001' })).status).toBe(200)
    // The first value of a filter, as everywhere.
    expect((await start({ query: 'state=all&state=disabled' })).status).toBe(200)
  })

  it('is started once by repeated requests, and at most five go on', async () => {
    await customers(db, 1)
    const key = randomUUID()
    const same = await Promise.all([1, 2, 3].map(() => start({}, { key })))
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const more = await Promise.all([1, 2, 3, 4, 5, 6].map(() => start()))
    expect(more.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(more.filter(({ status }) => status === 409)).toHaveLength(2)
  })

  it('other roles and strangers start none', async () => {
    await customers(db, 1)
    for (const who of [sales, viewer]) expect((await start({}, { as: who })).status).toBe(403)
    expect((await start({}, { as: shop.visitor() })).status).toBe(401)
  })

  it('a campaign’s SMS is never sent again by hand', async () => {
    await customers(db, 1)
    await started()
    await runJob(shop)
    const { rows } = await sql<{ id: number }>`update sms_outbox set state = 'failed', failure = '1001' returning id`.execute(db)
    expect((await manager.post(`/admin/sms/${rows[0]!.id}/resend`, {})).status).toBe(409)
  })
})
