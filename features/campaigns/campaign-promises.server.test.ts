import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { smsLimitsAt } from '#features/messaging/campaign-limit-rules.ts'
import type { SmsGateway, SmsOutcome } from '#features/messaging/gateway.ts'
import { claimSms } from '#features/messaging/outbox.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { SmsSender } from '#features/messaging/sender.server.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { campaignsOf, clearCampaigns, customers, NIGHT, NOON, QUIET, runJob, sendAll } from './testing/campaigns.ts'

// What a campaign promises, with the job and the sender of two processes: no budget is exceeded, nothing is sent in quiet hours or after an
// opt-out, and each person gets it once. The gateway of the test is what people receive.

const { db, url } = await testDb()
const [shop, twin] = [await openShop({ databaseUrl: url }), await openShop({ databaseUrl: url })]
afterAll(() => expect([...shop.failures, ...twin.failures]).toEqual([]))
const manager = await signedIn(shop, 'manager')
const { started, campaign } = campaignsOf(db, manager)

const running: SmsSender[] = []
let received: string[] = []
beforeEach(() => {
  received = []
  return clearCampaigns(db)
})
const stopSenders = async () => void (await Promise.all(running.splice(0).map((sender) => sender.stop())))
afterEach(stopSenders)

const SUBMITTED: SmsOutcome = { state: 'submitted', reference: null }
const REJECTED: SmsOutcome = { state: 'rejected', code: 'http-500', canRetry: true, problem: null }

/** The sender of one process. `outcome` answers for the provider. */
function startSender({ at = () => NOON, daily = 100_000, outcome = (_phone: string) => SUBMITTED } = {}): SmsSender {
  const gateway: SmsGateway = {
    async send({ phone }) {
      const answer = outcome(phone)
      if (answer.state === 'submitted') received.push(phone)
      await sleep(Math.random() * 5)
      return answer
    },
    balance: async () => ({ ok: false, detail: '' }),
  }
  const settings = { ...DEFAULT_SETTINGS, quiet_hours: QUIET, sms_daily_limit: daily }
  const sender = new SmsSender({ db, gateway, log: { warn() {}, error() {} }, limits: async () => smsLimitsAt(at(), settings) })
  running.push(sender)
  sender.start()
  return sender
}

/** Runs the job and the sender of both processes until `isOver`. */
async function work(isOver: () => Promise<boolean>, options: { daily?: number } = {}): Promise<void> {
  const senders = [startSender(options), startSender(options)]
  const settings = options.daily === undefined ? {} : { sms_daily_limit: options.daily }
  for (let turn = 0; turn < 400 && !(await isOver()); turn += 1) {
    await Promise.all([runJob(shop, { settings }), runJob(twin, { settings })])
    for (const sender of senders) sender.notify()
    await sleep(40)
  }
  await stopSenders()
}

const isDone = (id: number) => async () => (await campaign(id)).state === 'done'
const tokenOf = async (phone: string) =>
  (await sql<{ stop_token: string }>`select stop_token from campaign_people where phone = ${phone}`.execute(db)).rows[0]!.stop_token
const sentToday = async () => (await sql<{ sent: number }>`select sent from sms_days`.execute(db)).rows[0]?.sent ?? 0
const reasons = async () =>
  (
    await sql<{ phone: string; reason: string }>`select p.phone, coalesce(p.reason, s.failure) as reason from campaign_people p
      left join sms_outbox s on s.campaign_id = p.campaign_id and s.phone = p.phone order by p.phone`.execute(db)
  ).rows.map(({ phone, reason }) => [phone, reason])

describe('two processes', () => {
  it('reach everyone once', async () => {
    const phones = await customers(db, 90)
    const id = await started()
    await work(isDone(id))
    expect(received.toSorted()).toEqual(phones.toSorted())
    expect(await campaign(id)).toMatchObject({ state: 'done', sent: 90, parts_used: 90 })
  })

  it('two campaigns at once exceed neither their own budgets nor that of the day', async () => {
    await customers(db, 60)
    const [first, second] = [await started({ parts_limit: 30 }), await started()]
    // Four fifths of 80: at most 30 of the first, the rest of the second. Some turns more find no room.
    let turnsAfter = 0
    await work(async () => (await sentToday()) >= 64 && (turnsAfter += 1) > 10, { daily: 80 })
    expect([received.length, await sentToday()]).toEqual([64, 64])
    expect((await campaign(first)).sent).toBeLessThanOrEqual(30)
    expect((await campaign(second)).sent).toBeGreaterThanOrEqual(34)
    for (const id of [first, second]) {
      const { rows } = await sql<{ count: number; phones: number }>`select count(*)::int as count, count(distinct phone)::int as phones
        from sms_outbox where campaign_id = ${id}`.execute(db)
      expect(rows[0]!.count).toBe(rows[0]!.phones)
    }
  })

  it('after a process was killed while it was sending, nobody gets a second SMS', async () => {
    const phones = await customers(db, 40)
    const id = await started()
    await runJob(shop)
    // The provider took these, and the process ended without writing it down.
    for (let i = 0; i < 4; i += 1) received.push((await claimSms(db, { daily: 1000, campaign: 1000 }))!.phone)
    await sql`update sms_outbox set updated_at = now() - interval '2 minutes' where state = 'sending'`.execute(db)
    await work(isDone(id))
    expect(received.toSorted()).toEqual(phones.toSorted())
    expect(await campaign(id)).toMatchObject({ state: 'done', sent: 36, not_reached: 4, parts_used: 40 })
  })
})

describe('quiet hours', () => {
  it('hold what is in the outbox, and what the provider rejected in the evening', async () => {
    const phones = await customers(db, 3)
    await started()
    await runJob(shop)
    let at = NIGHT
    let isRejected = true
    const sender = startSender({ at: () => at, outcome: (phone) => (isRejected && phone === phones[0] ? REJECTED : SUBMITTED) })
    await queueSms(db, { purpose: 'order', event: 'paid', phone: '01811111111', text: 'Paid' })
    sender.notify()
    await expect.poll(() => received).toEqual(['01811111111'])
    await sleep(200)
    expect(received).toEqual(['01811111111'])
    at = NOON
    sender.notify()
    await expect.poll(() => received.length).toBe(3)
    const rejected = db.selectFrom('sms_outbox').select(['state', 'attempts']).where('phone', '=', phones[0]!)
    await expect.poll(() => rejected.executeTakeFirst()).toEqual({ state: 'queued', attempts: 1 })
    ;[at, isRejected] = [NIGHT, false]
    // The sender may still be looking for a message with the limits of noon.
    await sleep(200)
    await sql`update sms_outbox set not_before = now() where state = 'queued'`.execute(db)
    sender.notify()
    await sleep(300)
    expect(received).toHaveLength(3)
    at = NOON
    sender.notify()
    await expect.poll(() => received.toSorted()).toEqual(['01811111111', ...phones].toSorted())
  })
})

describe('a person who', () => {
  it('opts out while two processes send gets nothing afterwards', async () => {
    const phones = await customers(db, 60)
    const id = await started()
    await runJob(shop)
    const [inOutbox, waiting] = [phones[20]!, phones[55]!]
    for (const phone of [inOutbox, waiting]) expect((await shop.visitor().post(`/stop/${await tokenOf(phone)}`, {})).status).toBe(200)
    await work(isDone(id))
    expect(received.toSorted()).toEqual(phones.filter((phone) => phone !== inOutbox && phone !== waiting))
    expect(await campaign(id)).toMatchObject({ sent: 58, not_reached: 2 })
  })

  it('got a new number gets it on neither, and its next owner does not get it', async () => {
    const [first, second] = await customers(db, 2)
    await started()
    await runJob(shop)
    await sql`update users set phone = '01777777777' where phone = ${first!}`.execute(db)
    await sql`update users set phone = ${first!} where phone = ${second!}`.execute(db)
    expect(await sendAll(db)).toEqual([])
    expect(await reasons()).toEqual([
      [first, 'closed'],
      [second, 'closed'],
    ])
  })

  it('was added twice has two phones, and gets it once after the merge', async () => {
    const [first, second] = await customers(db, 2)
    const spelled = { name: 'Twin', phone: `+88 ${first!.slice(0, 5)}-${first!.slice(5)}`, email: '', note: '' }
    expect((await manager.post('/admin/customers/store', spelled)).status).toBe(422)
    const id = await started()
    await runJob(shop)
    const { rows } = await sql<{ id: number }>`select id from users where phone = any(${[first!, second!]}) order by phone`.execute(db)
    const merged = await manager.post(`/admin/customers/${rows[0]!.id}/merge`, { other: rows[1]!.id, orders: 0 })
    expect(merged.status).toBe(200)
    await work(isDone(id))
    expect(received).toEqual([first])
    expect(await reasons()).toEqual([
      [first, null],
      [second, 'closed'],
    ])
  })

  it('was erased gets nothing, and leaves no row', async () => {
    const phones = await customers(db, 30)
    const [inOutbox, waiting] = [phones[2]!, phones[29]!]
    const id = await started()
    await runJob(shop)
    for (const phone of [inOutbox, waiting])
      expect(await erasePerson(db, (await findPerson(db, phone))!, new Date())).toEqual({ ok: true, orders: 0 })
    await work(isDone(id))
    expect(received.toSorted()).toEqual(phones.filter((phone) => phone !== inOutbox && phone !== waiting))
    expect((await reasons()).map(([phone]) => phone)).not.toContain(inOutbox)
  })

  it('is erased while the job queues the SMS gets nothing', async () => {
    const [phone] = await customers(db, 1)
    await started()
    await sql`create function wait_in_test() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$`.execute(
      db,
    )
    await sql`create trigger wait_in_test after insert on sms_outbox for each row execute function wait_in_test()`.execute(db)
    try {
      const person = (await findPerson(db, phone!))!
      const job = runJob(shop)
      const sleeping = sql`select 1 as one from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      await expect.poll(async () => (await sleeping.execute(db)).rows, { interval: 10 }).toEqual([{ one: 1 }])
      expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 0 })
      await job
    } finally {
      await sql`drop function wait_in_test cascade`.execute(db)
    }
    expect((await sql`select phone from sms_outbox union select phone from campaign_people`.execute(db)).rows).toEqual([])
  })

  it('is erased after the number changed leaves no row of the old number', async () => {
    const [phone] = await customers(db, 1)
    await started()
    await runJob(shop)
    await sendAll(db)
    await sql`update users set phone = '01777777777' where phone = ${phone!}`.execute(db)
    await erasePerson(db, (await findPerson(db, '01777777777'))!, new Date())
    expect((await sql`select phone from sms_outbox union select phone from campaign_people`.execute(db)).rows).toEqual([])
  })
})
