import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { listJobs, watchJobs } from '#features/jobs/job-state.server.ts'
import { addDays, dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { rescheduleAfterClockJump } from './clock-jump.ts'
import { startJobs } from './jobs.ts'

// The machine's clock is set back or forward by hours while people work.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 900_000 })
const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const html = { accept: 'text/html' }
const move = (minutes: number) => (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000))
beforeEach(() => (shop.clock.now = new Date('2026-11-20T06:00:00Z')))
afterAll(() => expect(shop.failures).toEqual([]))

it.each([-300, 300])('orders by %i minutes: a repeat is replayed, new ones get the day of the new time', async (minutes) => {
  const stock = await countStock(db)
  const body = orderBody(area.id, [[honey.id, 1]], cash)
  const key = `clock-jump-of-${minutes}`
  const first = await shop.post('/customer-orders', body, { key })
  move(minutes)
  const [again, next] = [await shop.post('/customer-orders', body, { key }), await shop.post('/customer-orders', body)]
  expect([first.status, again.text, next.status]).toEqual([200, first.text, 200])
  const { placed_at } = await db.selectFrom('orders').select('placed_at').where('id', '=', next.body.order_id!).executeTakeFirstOrThrow()
  expect(placed_at).toEqual(shop.clock.now)
  await expectInvariants(db, stock)
})

it('a shift goes on over a clock that is set back: sales with own receipt numbers, and closing', async () => {
  const stock = await countStock(db)
  const cashier = shop.visitor()
  await cashier.signIn((await buildUser(db, { role: 'cashier' })).phone)
  expect((await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })).status).toBe(200)
  const sell = (key: string) => {
    const line = { products: [{ id: honey.id, quantity: 1, price: 120 }], transactions: { cash: 120 }, total: 120 }
    return cashier.post(
      '/admin/quick-orders/store',
      { ...line, customer: { phone: '01710000001' } },
      { headers: { 'idempotency-key': key } },
    )
  }
  const before = await sell('sale-before-the-jump')
  move(-180)
  const after = await sell('sale-after-the-jump')
  expect([before.status, after.status, (await sell('sale-before-the-jump')).text]).toEqual([200, 200, before.text])
  expect(after.body.order_id).not.toBe(before.body.order_id)
  const counted = { counted_cash: 240, counted_bkash: 0, counted_bank: 0, note: '' }
  const closed = await cashier.post('/admin/quick-orders/shift/close', counted)
  expect(closed.status, closed.text).toBe(200)
  await expectInvariants(db, stock)
})

it('an idle session ends half an hour after a clock that was set back, not hours later', async () => {
  const manager = shop.visitor()
  await manager.signIn((await buildUser(db, { role: 'manager' })).phone)
  move(-300)
  expect((await manager.get('/admin/orders', html)).status).toBe(200)
  move(31)
  expect((await manager.get('/admin/orders', html)).status).toBe(303)
})

it('a customer stays signed in, whichever way the clock moves', async () => {
  const customer = shop.visitor()
  await customer.signIn((await buildUser(db)).phone)
  for (const minutes of [-600, 900]) {
    move(minutes)
    expect((await customer.get('/account', html)).status).toBe(200)
  }
})

it('after a clock was set back, what waits for another attempt is tried at once, and no job is late or was last seen in the future', async () => {
  await watchJobs(db)
  await sql`insert into sms_outbox (purpose, template, phone, body, expires_at, not_before)
    values ('staff', 'x', '01710000001', 'Hello', now() + interval '1 day', now() + interval '5 hours')`.execute(db)
  await sql`insert into email_outbox (event_key, kind, recipient, not_before)
    values ('alarm-x', 'alarm', 'owner@shop.example', now() + interval '5 hours')`.execute(db)
  await sql`update sms_provider set problem = 'balance', problem_since = now(), paused_until = now() + interval '5 hours'`.execute(db)
  await sql`update scheduled_jobs set last_ok_at = case name when 'sms-balance' then now() + interval '5 hours' else now() - interval '5 hours' end,
    watched_since = now() - interval '5 hours'`.execute(db)
  await rescheduleAfterClockJump(shop.deps)
  const { rows } = await sql`select (select count(*)::int from sms_outbox where state = 'queued' and not_before > now()) as sms,
    (select count(*)::int from email_outbox where not_before > now()) as emails, (select paused_until from sms_provider) as paused`.execute(
    db,
  )
  expect(rows).toEqual([{ sms: 0, emails: 0, paused: null }])
  expect((await listJobs(db)).filter(({ problem, lastOkAt }) => problem !== null || (lastOkAt?.getTime() ?? 0) > Date.now())).toEqual([])
  // Jobs that rest after a jump are late when they have not run soon after it.
  await sql`update scheduled_jobs set last_ok_at = null, watched_since = watched_since - interval '29 minutes'`.execute(db)
  expect((await listJobs(db)).filter(({ problem }) => problem).map(({ name }) => name)).not.toContain('expire-orders')
  await sql`update scheduled_jobs set watched_since = watched_since - interval '3 minutes'`.execute(db)
  expect((await listJobs(db)).filter(({ problem }) => problem).map(({ name }) => name)).toContain('expire-orders')
})

it('in quiet hours, SMS that wait for their end are not sent because the clock jumped', async () => {
  await sql`truncate sms_outbox`.execute(db)
  const today = dhakaDate(new Date())
  const [night, morning] = [dhakaInstant(today, '23:00'), dhakaInstant(addDays(today, 1), '08:00')]
  await sql`insert into sms_outbox (purpose, template, phone, body, expires_at, not_before)
    select purpose, template, '01710000001', 'Hello', now() + interval '2 days', now() + interval '1 day' from (values
      ('order', 'delivery-moved-7-2026-12-24'), ('order', 'product-free-7'), ('staff', 'written-7')) m (purpose, template)`.execute(db)
  shop.clock.now = night
  await rescheduleAfterClockJump(shop.deps)
  const { rows } = await sql<{ template: string; at: Date; is_due: boolean }>`
    select template, not_before as at, not_before <= now() as is_due from sms_outbox order by template`.execute(db)
  expect(rows).toMatchObject([
    { template: 'delivery-moved-7-2026-12-24', at: morning },
    { template: 'product-free-7', at: morning },
    { template: 'written-7', is_due: true },
  ])
})

it('the jobs notice the jump before any of them runs by the new time', async () => {
  const { deps } = shop
  const warnings: string[] = []
  const log = { ...deps.log, warn: (_detail: object, message: string) => void warnings.push(message) } as typeof deps.log
  const stop = await startJobs({ ...deps, log })
  try {
    const isWaiting = async () =>
      (await sql`select 1 from sms_outbox where state = 'queued' and not_before > now()`.execute(db)).rows.length
    await expect.poll(async () => (await listJobs(db)).some(({ lastOkAt }) => lastOkAt !== null)).toBe(true)
    await sql`update sms_outbox set not_before = now() + interval '5 hours'`.execute(db)
    move(-300)
    await expect.poll(isWaiting).toBe(0)
    expect(warnings).toEqual(['the clock jumped: nothing is cancelled or deleted for half an hour'])
  } finally {
    await stop()
  }
}, 60_000)
