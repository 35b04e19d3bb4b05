import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listGatewayMoney } from './gateway-payments.server.ts'
import { sendDeliveryReminders } from '#features/delivery/delivery-reminders.server.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { listTasks } from '#features/reports/dashboard-tasks.server.ts'
import { addDays, dhakaInstant, formatLongDay } from '#lib/format/time.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { moneyOf, adminOrder, payAtSimulator } from '../testing/online-payments.ts'
import { orderOf, signedIn } from '../testing/admin-shop.ts'

// Staff accept or reject payments that the gateway calls risky or that have another amount.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const [manager, sales, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]
const { simulator, payOn, paid } = await payAtSimulator(shop)
const deps = { ...shop.deps, catalogChanged() {} }
beforeEach(() => simulator.faults({ notify: 'never' }))
afterEach(() => expect(shop.failures).toEqual([]))
afterAll(async () => {
  await expectLedger(db)
  await simulator.close()
})

const stateOf = (id: number) => moneyOf(shop, id)
const risky = () => paid(area.id, { faults: { risky: true } })
const reviewOf = async (id: number) => (await adminOrder(manager, id)).reviews[0]!

async function inReview(faults: Faults = { risky: true }) {
  const order = await paid(area.id, { faults })
  const before = await stateOf(order.id)
  const { rows } = await sql<{ id: number }>`select id from payment_attempts where order_id = ${order.id}`.execute(db)
  await simulator.faults({ notify: 'never', ...faults })
  return { ...order, before, attempt: rows[0]!.id }
}
const accept = (attempt: number, who: Visitor = sales) => who.post(`/admin/payments/accept/${attempt}`)
const refuse = (attempt: number, reason = 'Card reported stolen', who: Visitor = manager) =>
  who.post(`/admin/payments/refuse/${attempt}`, { reason })

const HELD = { status: 'placed', expires_at: null, cow: 'hold', paid: 0, ledger: [], attempts: ['review'], refunds: [], sms: [], log: [] }

describe('a payment in review', () => {
  it('is listed, counted on the dashboard, and shown with the order', async () => {
    const order = await inReview()
    expect(order.before).toMatchObject({ ...HELD, attention: 'risky-payment' })
    const { reviews } = await listGatewayMoney(db, shop.clock.now)
    expect(reviews.find((one) => one.order_id === order.id)).toMatchObject({
      id: order.attempt,
      gateway: 'sslcommerz',
      asked: 11_500,
      paid: 11_500,
      currency: 'BDT',
      why: 'risky-payment',
    })
    expect((await listTasks(db, shop.clock.now)).find(({ key }) => key === 'payments')).toMatchObject({
      count: reviews.length,
      href: '/admin/payments',
    })
    const page = pageProps<{ reviews: { id: number }[] }>((await viewer.get('/admin/payments', { accept: 'text/html' })).text)
    expect(page.reviews.map(({ id }) => id)).toContain(order.attempt)
    expect(await reviewOf(order.id)).toMatchObject({ id: order.attempt, why: 'risky-payment', paid: 11_500 })
    expect([(await accept(order.attempt, viewer)).status, (await refuse(order.attempt, 'x', sales)).status]).toEqual([403, 403])
  })
})

describe('the customer', () => {
  const dates = async (id: number) => {
    const { rows } = await sql<{ code: string; view_key: string; deliver_on: string }>`
      select tracking_code as code, view_key, deliver_on from orders where id = ${id}`.execute(db)
    const { code, view_key, deliver_on } = rows[0]!
    const stranger = shop.visitor()
    const tracked = pageProps<{ orders: { delivery_dates: string[] }[] }>(
      (await stranger.get(`/track/${code}`, { accept: 'text/html' })).text,
    )
    const invoice = (await stranger.get(`/invoice/${id}?key=${view_key}`, { accept: 'text/html' })).text
    const evening = dhakaInstant(addDays(deliver_on, -1), '18:00')
    await sendDeliveryReminders({ ...deps, now: () => evening })
    const { rows: sms } = await sql`select 1 from sms_outbox where order_id = ${id} and template like 'delivery-%'`.execute(db)
    return [tracked.orders[0]!.delivery_dates, invoice.includes(formatLongDay(deliver_on, 'en')), sms.length]
  }

  it('is promised no day and reminded of no delivery until the payment is accepted', async () => {
    const { id, attempt } = await inReview()
    expect(await dates(id)).toEqual([[], false, 0])
    await accept(attempt)
    expect(await dates(id)).toEqual([[expect.any(String)], true, 1])
  })
})

describe('accepting', () => {
  it('records the payment once, with the sale of the animal, SMS and actor', async () => {
    const { id, attempt } = await inReview()
    expect((await accept(attempt)).status).toBe(200)
    const after = await stateOf(id)
    expect(after).toMatchObject({
      attention: null,
      cow: 'sold',
      paid: 11_500,
      ledger: [11_500],
      attempts: ['paid'],
      sms: ['payment-received'],
      events: ['risky-payment gateway', 'payment-accepted staff', 'payment-received gateway'],
      log: ['approved'],
    })
    const { rows } = await sql`select actor_id from order_events where order_id = ${id} and kind = 'payment-accepted'`.execute(db)
    expect(rows).toEqual([{ actor_id: sales.id }])
    const [again, late] = [await accept(attempt), await refuse(attempt)]
    expect([again.status, late.status]).toEqual([409, 409])
    // Who was slower sees the order as it is.
    expect([again, late].map((answer) => orderOf(answer).reviews)).toEqual([[], []])
    expect(await stateOf(id)).toEqual(after)
  })

  it('of another amount records the amount received', async () => {
    const { id, attempt } = await inReview({ paidAmount: '9000.00' })
    expect((await stateOf(id)).attention).toBe('payment-mismatch')
    expect((await accept(attempt)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ attention: null, paid: 9000, ledger: [9000], cow: 'hold', attempts: ['paid'] })
  })

  it.each<[string, Faults, number]>([
    ['the gateway does not answer', { risky: true, query: 'error' }, 502],
    ['its bank has reversed it', { risky: true, reversed: true }, 409],
    ['it is another’s', { risky: true, tranId: '01JOTHER' }, 409],
  ])('changes nothing when %s', async (_name, faults, status) => {
    const { id, attempt, before } = await inReview()
    await simulator.faults({ notify: 'never', ...faults })
    expect((await accept(attempt)).status).toBe(status)
    expect(await stateOf(id)).toEqual(before)
  })

  it('changes nothing for another currency', async () => {
    const { id, attempt, before } = await inReview({ paidCurrency: 'USD' })
    expect((await accept(attempt)).status).toBe(409)
    expect(await stateOf(id)).toEqual(before)
  })

  it('after the cancellation of the order records the payment and flags the order', async () => {
    const { id, attempt } = await inReview()
    const { version } = await adminOrder(manager, id)
    await manager.post('/admin/orders/status', { orders: [{ id, version }], status: 'cancelled', reason: 'No answer' })
    expect((await accept(attempt)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', attention: 'paid-after-end', paid: 11_500, cow: 'in-stock' })
  })
})

describe('rejecting', () => {
  it('refunds through the gateway without a ledger entry and sends the reason; the order can be paid again', async () => {
    const { id, attempt, returned } = await inReview()
    const answer = await refuse(attempt)
    expect([answer.status, answer.body]).toMatchObject([200, { refunds: ['processing'] }])
    expect(await stateOf(id)).toMatchObject({
      status: 'placed',
      attention: null,
      cow: 'hold',
      paid: 0,
      ledger: [],
      attempts: ['refused'],
      refunds: ['processing'],
      sms: ['payment-refused'],
      expires_at: new Date(shop.clock.now.getTime() + 30 * 60_000),
      log: ['refused'],
    })
    const { rows: sms } = await sql<{ body: string }>`select body from sms_outbox where template = ${`payment-refused-${attempt}`}`.execute(
      db,
    )
    expect(sms[0]?.body).toContain('Card reported stolen')
    // The gateway notifies again, without the risk. The refund is under way, so the payment is not recorded.
    await simulator.faults({ notify: 'never' })
    await fetch(`${shop.url}/payments/sslcommerz/ipn`, { method: 'POST', body: new URLSearchParams(returned) })
    shop.passMinutes(3)
    await followRefunds(deps)
    expect(await stateOf(id)).toMatchObject({ paid: 0, ledger: [], attempts: ['refused'], refunds: ['done'] })
    const { rows } = await sql<{ view_key: string }>`select view_key from orders where id = ${id}`.execute(db)
    const again = await shop.post(`/orders/${id}/pay?key=${rows[0]!.view_key}`, {})
    expect(again.status, again.text).toBe(200)
    await payOn(again.body.redirect_url!)
    expect(await stateOf(id)).toMatchObject({ paid: 11_500, cow: 'sold', attempts: ['refused', 'paid'], refunds: ['done'] })
  })

  it.each<[string, (order: { id: number; version: number }) => Promise<{ status: number }>]>([
    ['has ended', (order) => manager.post('/admin/orders/status', { orders: [order], status: 'cancelled', reason: 'No answer' })],
    ['was paid otherwise', ({ id, version }) => manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount: 11_500, version })],
  ])('asks for no other payment of an order that %s', async (_how, settle) => {
    const { id, attempt } = await inReview()
    expect((await settle({ id, version: (await adminOrder(manager, id)).version })).status).toBe(200)
    expect((await refuse(attempt)).status).toBe(200)
    const { rows } = await sql<{ body: string }>`select body from sms_outbox where template = ${`payment-refused-${attempt}`}`.execute(db)
    expect(rows[0]!.body).toMatch(/Card reported stolen।.*আবার পেমেন্ট করতে হবে না/)
  })

  it('of a payment that the bank has reversed refunds nothing', async () => {
    const { id, attempt } = await inReview()
    await simulator.faults({ notify: 'never', reversed: true })
    expect(await refuse(attempt)).toMatchObject({ status: 200, body: { refunds: [] } })
    expect(await stateOf(id)).toMatchObject({ attempts: ['refused'], refunds: [], sms: ['payment-refused'] })
  })

  it('a failed refund flags the order; it is repeated from the refund dialog, outside the ledger', async () => {
    const { id, attempt } = await inReview()
    await simulator.faults({ notify: 'never', risky: true, refund: 'failed' })
    expect(await refuse(attempt)).toMatchObject({ status: 200, body: { refunds: ['failed'] } })
    expect(await stateOf(id)).toMatchObject({ attention: 'refund-failed', refunds: ['failed'], ledger: [] })
    await simulator.faults({ notify: 'never' })
    const { version, refundable } = await adminOrder(manager, id)
    expect(refundable).toMatchObject([{ gateway: 'sslcommerz', left: 11_500, in_ledger: false }])
    const repeated = await manager.post(`/admin/orders/gateway-refunds/${id}`, {
      ...refundable[0],
      amount: 11_500,
      reason: 'StockUnavailableError',
      version,
    })
    expect(repeated, repeated.text).toMatchObject({ status: 200, body: { state: 'processing' } })
    expect(await stateOf(id)).toMatchObject({ refunds: ['failed', 'processing'], ledger: [], paid: 0 })
    expect((await adminOrder(manager, id)).refundable).toEqual([])
  })

  it('of another currency records a failed refund for staff to refund by hand', async () => {
    const { id, attempt } = await inReview({ paidCurrency: 'USD' })
    expect(await refuse(attempt)).toMatchObject({ status: 200, body: { refunds: ['failed'] } })
    expect(await stateOf(id)).toMatchObject({ attention: 'refund-failed', attempts: ['refused'], refunds: ['failed'] })
    expect((await adminOrder(manager, id)).refundable).toEqual([])
  })

  it('that staff have recorded by hand is refunded in the ledger too; with another amount staff refund it', async () => {
    const recorded = async (amount: number) => {
      const { id } = await paid(area.id, { gateway: 'bkash', faults: { paidAmount: '11000.00' } })
      const { rows } = await sql<{ attempt: number; txn: string }>`select id as attempt, gateway_txn as txn from payment_attempts
        where order_id = ${id} and state = 'review'`.execute(db)
      const { attempt, txn } = rows[0]!
      const { version } = await adminOrder(manager, id)
      const payment = { method: 'bkash', amount, transaction_id: txn, version }
      expect((await manager.post(`/admin/orders/payments/${id}`, payment)).status).toBe(200)
      expect((await refuse(attempt)).status).toBe(200)
      return id
    }
    expect(await stateOf(await recorded(11_000))).toMatchObject({ refunds: ['done'], ledger: [11_000, -11_000], paid: 0 })
    const other = await recorded(1000)
    expect(await stateOf(other)).toMatchObject({ refunds: ['failed'], ledger: [1000], attention: 'refund-failed' })
    expect((await adminOrder(manager, other)).refundable).toMatchObject([{ left: 11_000, in_ledger: true }])
  })

  it.each([[''], ['   '], ['x'.repeat(256)], ['\ud800'], [7]])('needs a valid reason, not %j', async (reason) => {
    const { id, attempt, before } = await inReview()
    expect((await manager.post(`/admin/payments/refuse/${attempt}`, { reason })).status).toBe(422)
    expect(await stateOf(id)).toEqual(before)
  })

  it('changes nothing while the gateway does not answer, or for a missing attempt', async () => {
    const { id, attempt, before } = await inReview()
    await simulator.faults({ notify: 'never', query: 'hang' })
    expect((await refuse(attempt)).status).toBe(502)
    expect(await stateOf(id)).toEqual(before)
    expect([(await refuse(999_999)).status, (await accept(999_999)).status]).toEqual([404, 404])
  })
})

it('of three concurrent acceptances and three rejections one succeeds', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, attempt } = await inReview()
    const all = [1, 2, 3].flatMap(() => [accept(attempt), refuse(attempt)])
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const after = await stateOf(id)
    if (statuses.indexOf(200) % 2 === 0)
      expect(after).toMatchObject({ attempts: ['paid'], ledger: [11_500], refunds: [], log: ['approved'] })
    else expect(after).toMatchObject({ attempts: ['refused'], ledger: [], refunds: ['processing'], log: ['refused'] })
  }
})

it('a risky payment that the gateway clears is recorded and leaves the review', async () => {
  const { id, returned } = await risky()
  await simulator.faults({ notify: 'never' })
  await fetch(`${shop.url}/payments/sslcommerz/ipn`, { method: 'POST', body: new URLSearchParams(returned) })
  expect(await stateOf(id)).toMatchObject({ attempts: ['paid'], ledger: [11_500], attention: null, cow: 'sold' })
})

// Runs last, because the clock passes the end of the staff sessions.
it('an order whose payment was rejected expires like an unpaid one', async () => {
  const { id, attempt } = await inReview()
  await refuse(attempt)
  shop.passMinutes(31)
  await expireOrders(deps)
  expect(await stateOf(id)).toMatchObject({ status: 'cancelled', cow: 'in-stock', attempts: ['refused'], ledger: [] })
})
