import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resendSms } from '#features/messaging/resend-sms.server.ts'
import { claimSms } from '#features/messaging/outbox.server.ts'
import { findSmsBudget } from '#features/messaging/queries.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { SmsSender } from '#features/messaging/sender.server.ts'
import { startSmsSimulator } from '#features/messaging/testing/start-sms-simulator.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// SMS limits of orders: one SMS of a kind per hour to an unverified number, and a daily budget.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const company = await startSmsSimulator({ timeoutMs: 3_000 })
const area = await buildArea(db, { produce: 80 })
const rice = await buildProduct(db)
const clerk = { kind: 'staff' as const, id: (await buildUser(db, { role: 'sales' })).id, ip: '127.0.0.1' }
const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const running: SmsSender[] = []
const alarms: object[] = []
let limit = 1000
afterAll(() => company.close())
beforeEach(async () => {
  await sql`truncate sms_outbox, sms_days`.execute(db)
  company.taken.length = 0
  alarms.length = 0
  limit = 1000
  Object.assign(company.options, { faults: [], always: null, balance: undefined })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sender) => sender.stop()))
  expect(shop.failures).toEqual([])
})

function start(): SmsSender {
  const log = { warn() {}, error: (detail: object) => void alarms.push(detail) }
  const sender = new SmsSender({ db, gateway: company.gateway, log, limits: async () => ({ daily: limit, campaign: 0 }) })
  running.push(sender)
  sender.start()
  return sender
}
let serial = 0
const newPhone = () => `017${String(70_000_000 + (serial += 1))}`
async function order(phone: string, by: Pick<typeof shop, 'post'> = shop): Promise<number> {
  const body = orderBody(area.id, [[rice.id, 1]], cash)
  const answer = await by.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })
  expect(answer.status).toBe(200)
  return answer.body.order_id!
}
const orders = (count: number, phone: () => string) => Promise.all(Array.from({ length: count }, () => order(phone())))
async function tally(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; n: number }>`select state, count(*)::int as n from sms_outbox group by state`.execute(db)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
const settled = (expected: Record<string, number>) => expect.poll(tally, { interval: 20 }).toEqual(expected)
const sentToday = async () => (await findSmsBudget(db, limit)).sent
const sendLater = () => sql`update sms_outbox set updated_at = updated_at - interval '61 minutes'`.execute(db)

describe('an unverified number', () => {
  it('gets one SMS of a kind per hour for any number of orders and senders; every order has the event', async () => {
    const phone = newPhone()
    const ids = await orders(40, () => phone)
    start()
    start()
    start()
    await settled({ submitted: 1, skipped: 39 })
    expect(company.taken).toHaveLength(1)
    const { rows } = await sql<{ n: number; told: number }>`select count(*)::int as n, (select count(*)::int from order_events
      where kind = 'sms-skipped' and order_id = any(${ids}::bigint[])) as told from orders where phone = ${phone} and status = 'placed'`.execute(
      db,
    )
    expect(rows[0]).toEqual({ n: 40, told: 39 })
    expect(await sentToday()).toBe(1)
  })

  it('gets one, also when a second is claimed before the first is recorded', async () => {
    const phone = newPhone()
    await orders(2, () => phone)
    let second: Promise<unknown> | undefined
    await db.transaction().execute(async (tx) => {
      expect(await claimSms(tx, { daily: limit, campaign: 0 })).toMatchObject({ skipped: false })
      second = claimSms(db, { daily: limit, campaign: 0 })
      await untilLockWait(db)
    })
    expect(await second).toMatchObject({ skipped: true })
  })

  it('gets the next one after an hour, and one of another kind immediately', async () => {
    const phone = newPhone()
    const first = await order(phone)
    const sender = start()
    await settled({ submitted: 1 })
    await order(phone)
    await queueSms(db, { purpose: 'order', orderId: first, event: 'advance-refused-2', phone, text: 'refused' })
    sender.notify()
    await settled({ submitted: 2, skipped: 1 })
    await sendLater()
    await order(phone)
    await queueSms(db, { purpose: 'order', orderId: first, event: 'advance-refused-3', phone, text: 'refused again' })
    sender.notify()
    await settled({ submitted: 4, skipped: 1 })
  })

  it('does not affect other numbers', async () => {
    await orders(20, newPhone)
    start()
    await settled({ submitted: 20 })
  })

  it('gets SMS that a clerk sends by hand or resends', async () => {
    const phone = newPhone()
    await orders(2, () => phone)
    const sender = start()
    await settled({ submitted: 1, skipped: 1 })
    const { rows } = await sql<{ id: number; order_id: number }>`select id, order_id from sms_outbox where state = 'skipped'`.execute(db)
    expect(await resendSms(db, rows[0]!.id, clerk)).toEqual({ ok: true, value: { id: rows[0]!.id } })
    for (const event of ['written-1', 'written-2'])
      await queueSms(db, { purpose: 'staff', orderId: rows[0]!.order_id, event, phone, text: event, sentBy: clerk.id })
    sender.notify()
    await settled({ submitted: 4 })
    expect(await sentToday()).toBe(4)
  })
})

describe('a number without the limit', () => {
  it('is that of a paid order, whatever its final weighings have added to the price', async () => {
    const phone = newPhone()
    const id = await order(phone)
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values
      (${id}, 'advance', 'bkash', 1000000, 'PAID-1'), (${id}, 'settlement', 'weighing', -550000, 'W-1'), (${id}, 'settlement', 'weighing', -550000, 'W-2')`.execute(
      db,
    )
    for (const event of ['settled-1', 'settled-2']) await queueSms(db, { purpose: 'order', orderId: id, event, phone, text: event })
    start()
    await settled({ submitted: 3 })
  })

  it('is the verified phone of the signed-in customer', async () => {
    const customer = await buildUser(db, { phone_verified_at: new Date() })
    const browser = shop.visitor()
    await browser.signIn(customer.phone)
    for (let n = 0; n < 3; n++) await order(customer.phone, browser)
    start()
    await settled({ submitted: 3 })
    // The same number of a guest is unverified.
    await orders(2, () => customer.phone)
    running[0]!.notify()
    await settled({ submitted: 3, skipped: 2 })
  })

  it.each([
    ['a clerk took the order on', sql`update orders set status = 'processing'`],
    ['something is paid', sql`update orders set ledger_balance_poisha = 100`],
    ['a clerk took the order by phone', sql`update orders set source = 'admin'`],
    ['a code has confirmed it', sql`update orders set phone_verified = true`],
  ])('where %s', async (_name, change) => {
    const phone = newPhone()
    const ids = await orders(3, () => phone)
    await sql`${change} where id = any(${ids}::bigint[])`.execute(db)
    start()
    await settled({ submitted: 3 })
  })
})

describe('the daily budget', () => {
  it('limits concurrent senders; the rest waits, and one warning is logged', async () => {
    limit = 5
    await orders(12, newPhone)
    start()
    start()
    start()
    await settled({ submitted: 5, queued: 7 })
    // The job of every process checks; one of them logs.
    await Promise.all(running.splice(0).map((sender) => sender.stop()))
    start()
    start()
    await expect.poll(() => alarms).toEqual([{ dailyLimit: 5 }])
    await settled({ submitted: 5, queued: 7 })
    expect([company.taken.length, await sentToday()]).toEqual([5, 5])
  })

  it('limits twenty concurrent senders', async () => {
    limit = 5
    await orders(20, newPhone)
    const claimed = await Promise.all(Array.from({ length: 20 }, () => claimSms(db, { daily: limit, campaign: 0 })))
    expect(claimed.filter((sms) => sms?.skipped === false)).toHaveLength(5)
    expect([await tally(), await sentToday()]).toEqual([{ sending: 5, queued: 15 }, 5])
  })

  it('does not block codes and SMS of clerks; those of clerks count', async () => {
    limit = 1
    await orders(2, newPhone)
    const sender = start()
    await settled({ submitted: 1, queued: 1 })
    const [phone, id] = [newPhone(), await order(newPhone())]
    await queueSms(db, { purpose: 'code', event: 'code', phone, text: 'Code 123456' })
    await queueSms(db, { purpose: 'staff', orderId: id, event: 'written-1', phone, text: 'By hand', sentBy: clerk.id })
    sender.notify()
    await settled({ submitted: 3, queued: 2 })
    expect(await sentToday()).toBe(2)
  })

  it('continues when the owner raises it', async () => {
    limit = 2
    await orders(6, newPhone)
    const sender = start()
    await settled({ submitted: 2, queued: 4 })
    limit = 4
    sender.notify()
    await settled({ submitted: 4, queued: 2 })
  })

  it('starts again the next day', async () => {
    limit = 2
    await orders(3, newPhone)
    const sender = start()
    await settled({ submitted: 2, queued: 1 })
    await sql`update sms_days set day = day - 1`.execute(db)
    sender.notify()
    await settled({ submitted: 3 })
    expect(await sentToday()).toBe(1)
  })

  it('is refunded for SMS that the company rejected', async () => {
    limit = 3
    company.options.faults = [1001, 1001]
    await orders(5, newPhone)
    start()
    await settled({ submitted: 3, failed: 2 })
    expect(await sentToday()).toBe(3)
  })
})

it('the SMS log shows the budget; the dashboard shows it when it is used up', async () => {
  const owner = shop.visitor()
  await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
  const isTold = async (path: string) =>
    (await owner.get(path, { accept: 'text/html' })).text.includes('Today’s budget of 2,000 SMS is used up.')
  expect(await isTold('/admin/sms')).toBe(false)
  await sql`insert into sms_days (day, sent) values ((now() at time zone 'Asia/Dhaka')::date, 2000)`.execute(db)
  expect([await isTold('/admin/sms'), await isTold('/admin')]).toEqual([true, true])
})
