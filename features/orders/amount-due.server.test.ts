import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from './testing/admin-shop.ts'
import type { OrderJson } from './types.ts'

// The amount due is one number: every page, call and SMS shows the same, whatever happened to the order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
await db
  .insertInto('rate_tiers')
  .values([{ category_id: category.id, season: '', from_grams: 0, poisha_per_kg: 50_000 }])
  .execute()
const manager = await signedIn(shop, 'manager')
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 500_000 })
const person = await buildUser(db, { phone_verified_at: new Date() })
const me = shop.visitor()
await me.signIn(person.phone)
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

type Order = { id: number; cow: number }
const minuteLater = () => (shop.clock.now = new Date(shop.clock.now.getTime() + 60_000))
const versionOf = async (id: number) =>
  (await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)).rows[0]!.version

/** A cow of 200 kg at 500 taka and 1,500 taka delivery: 101,500 taka, of which `payable` is paid when ordering. */
async function ordered(payment: Record<string, unknown>): Promise<Order> {
  minuteLater()
  const cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, price_poisha: 10_000_000 })
  const body = orderBody(area.id, [[cow.id, 1]], payment)
  const answer = await me.post('/customer-orders', { ...body, customer: { ...body.customer, phone: person.phone } })
  expect(answer.status, answer.text).toBe(200)
  minuteLater()
  return { id: answer.body.order_id!, cow: cow.id }
}
const online = () => ordered({ payment_type: 'full', payment_gateway: 'sslcommerz' })
const partly = () => ordered({ payment_type: 'partial', payment_gateway: 'sslcommerz', payable_amount: 11_500, partial_payment: 11_500 })

async function ok(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer
  expect(status, text).toBe(200)
}
const pay = async ({ id }: Order, amount: number) =>
  ok(manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount, version: await versionOf(id), confirmed: true }))
const refund = async ({ id }: Order, amount: number) =>
  ok(manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount, version: await versionOf(id) }))
const move = async ({ id }: Order, status: string) =>
  ok(manager.post('/admin/orders/status', { orders: [{ id, version: await versionOf(id) }], status, reason: 'As agreed' }))
async function weigh(order: Order, kg: number) {
  const weighing = { weight_kg: kg, weighed_on: '2026-11-20', method: 'scale', weighed_by: 'Rafiq', confirmed: true }
  await ok(manager.post(`/admin/animals/${order.cow}/weigh-ins`, weighing))
  await ok(manager.post(`/admin/orders/${order.id}/settle`, { animal_id: order.cow }))
}

async function sold(): Promise<Order & { honey: number }> {
  const honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 10_000 })
  const answer = await manager.post('/admin/quick-orders/store', {
    products: [{ id: honey.id, quantity: 3, price: 100 }],
    transactions: { cash: 300 },
    discount: 0,
    total: 300,
    customer: { phone: person.phone, name: 'Rahima' },
  })
  expect(answer.status, answer.text).toBe(200)
  return { id: answer.body.order_id!, cow: 0, honey: honey.id }
}
const takeBack = ({ id, honey }: { id: number; honey: number }, quantity: number) =>
  ok(
    manager.post(`/admin/quick-orders/return/${id}`, {
      lines: [{ product_id: honey, quantity }],
      refund: { cash: quantity * 100 },
      reason: 'Not ripe',
    }),
  )

/** What each place says of an order, in taka. Places that never show a negative sum are compared with what they would show of it. */
async function duesOf({ id }: Order): Promise<Record<string, unknown>> {
  const html = { accept: 'text/html' }
  const page = async <T>(who: typeof me, path: string) => pageProps<T>((await who.get(path, html)).text)
  const invoice = (await page<{ order: OrderJson }>(me, `/invoice/${id}`)).order
  const [row] = (await page<{ list: { rows: { due: number }[] } }>(manager, `/admin/orders?q=${id}`)).list.rows
  const listed = async (filter: string) =>
    (await page<{ list: { rows: { id: number }[] } }>(manager, `/admin/orders?q=${id}&due=${filter}`)).list.rows.length === 1
  const account = (await page<{ orders: OrderJson[] }>(me, '/account')).orders.find((order) => order.id === id)
  const details = (
    await page<{ order: { due: number; paid: number; settlement: number; money: string } }>(manager, `/admin/orders/update/${id}`)
  ).order
  const printed = (await page<{ orders: { order: OrderJson }[] }>(manager, `/admin/orders/invoice/${id}`)).orders[0]!.order
  const slip = (await page<{ printed: { order: OrderJson } }>(manager, `/admin/quick-orders/pos-invoice/${id}`)).printed.order
  const status = (await me.get(`/payments/status?order=${id}`)).body as { due_amount: number; paid_amount: number }
  expect([invoice.paid, account?.paid, details.paid, status.paid_amount]).toEqual(Array(4).fill(invoice.paid))
  return {
    invoice: invoice.due,
    account: account?.due,
    'admin order page': details.due,
    'admin order list': row?.due,
    'printed invoice': printed.due,
    slip: slip.due,
    'payment status': status.due_amount,
    SMS: await smsOf(id),
    'list of money to come': await listed('yes'),
    'list of money to refund': await listed('refund'),
    'pay again': await payAgain(id),
  }
}

async function smsOf(orderId: number): Promise<string> {
  const text = { en: '{due}', bn: '{due}' }
  const event = `test-${Math.random()}`
  await queueOrderSms(db, orderSmsShop('', { ...DEFAULT_SETTINGS, sms_english: true }), { orderId, event, text })
  const { rows } = await sql<{ body: string }>`delete from sms_outbox where template = ${event} returning body`.execute(db)
  return rows[0]!.body.replace(/[^\d.]/g, '')
}

/** The sum that a new payment page asks for; null when there is nothing to pay online. */
async function payAgain(id: number): Promise<number | null> {
  const answer = await me.post(`/orders/${id}/pay`, {})
  if (answer.status !== 200) return null
  const { rows } = await sql<{ amount: number }>`
    select amount_poisha::float8 / 100 as amount from payment_attempts where order_id = ${id} order by id desc limit 1`.execute(db)
  return rows[0]!.amount
}

it.each<[state: string, due: number, payable: number | null, make: () => Promise<Order>]>([
  ['unpaid', 101_500, 101_500, online],
  ['unpaid, a part promised', 101_500, 11_500, partly],
  [
    'partly paid',
    90_000,
    null,
    async () => {
      const order = await partly()
      await pay(order, 11_500)
      return order
    },
  ],
  [
    'less paid than promised',
    100_000,
    10_000,
    async () => {
      const order = await partly()
      await pay(order, 1500)
      return order
    },
  ],
  [
    'paid',
    0,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      return order
    },
  ],
  [
    'paid, then weighed heavier',
    5000,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await weigh(order, 210)
      return order
    },
  ],
  [
    'paid, then weighed lighter',
    -5000,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await weigh(order, 190)
      return order
    },
  ],
  [
    'weighed lighter, refunded',
    0,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await weigh(order, 190)
      await refund(order, 5000)
      return order
    },
  ],
  [
    'unpaid, weighed lighter',
    96_500,
    96_500,
    async () => {
      const order = await online()
      await weigh(order, 190)
      return order
    },
  ],
  [
    'unpaid, weighed heavier',
    106_500,
    101_500,
    async () => {
      const order = await online()
      await weigh(order, 210)
      return order
    },
  ],
  [
    'paid too much',
    -500,
    null,
    async () => {
      const order = await online()
      await pay(order, 102_000)
      return order
    },
  ],
  [
    'refunded in part',
    1500,
    1500,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await refund(order, 1500)
      return order
    },
  ],
  [
    'cancelled, unpaid',
    0,
    null,
    async () => {
      const order = await online()
      await move(order, 'cancelled')
      return order
    },
  ],
  [
    'cancelled, weighed heavier, paid',
    -11_500,
    null,
    async () => {
      const order = await partly()
      await pay(order, 11_500)
      await weigh(order, 210)
      await move(order, 'cancelled')
      return order
    },
  ],
  [
    'cancelled, weighed lighter, refunded',
    0,
    null,
    async () => {
      const order = await partly()
      await pay(order, 11_500)
      await weigh(order, 190)
      await move(order, 'cancelled')
      await refund(order, 11_500)
      return order
    },
  ],
  [
    'returned',
    -101_500,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      for (const status of ['processing', 'on_delivery', 'delivered', 'returned']) await move(order, status)
      return order
    },
  ],
  ['sold at the counter', 0, null, sold],
  [
    'sold at the counter, a part taken back',
    0,
    null,
    async () => {
      const sale = await sold()
      await takeBack(sale, 1)
      return sale
    },
  ],
  [
    'sold at the counter, all taken back',
    0,
    null,
    async () => {
      const sale = await sold()
      await takeBack(sale, 1)
      await takeBack(sale, 2)
      return sale
    },
  ],
])('%s: %d taka due in every place', async (_state, due, payable, make) => {
  const order = await make()
  const owed = Math.max(0, due)
  expect(await duesOf(order)).toEqual({
    invoice: due,
    account: due,
    'admin order page': due,
    'admin order list': due,
    'printed invoice': due,
    slip: due,
    'payment status': owed,
    SMS: String(owed),
    'list of money to come': due > 0,
    'list of money to refund': due < 0,
    'pay again': payable,
  })
})

it('the customer record adds up what is due on all orders', async () => {
  const { rows } = await sql<{ due: number }>`select sum(greatest(0, amount_due(o)))::float8 / 100 as due from orders o
    where customer_id = ${person.id} and status not in ('cancelled', 'returned')`.execute(db)
  const html = (await manager.get(`/admin/customers/${person.id}`, { accept: 'text/html' })).text
  expect(pageProps<{ customer: { due: number } }>(html).customer.due).toBe(rows[0]!.due)
})
