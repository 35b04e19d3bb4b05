import { sql } from 'kysely'
import { expect } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from './admin-shop.ts'
import type { OrderJson } from '../types.ts'

// Orders in every state, and the amount due that each page, SMS and route shows.

/** `honey`: an ordered product that may come back in parts. `page`: where the order is paid online. */
export type Order = { id: number; cow: number; honey?: number; page?: string | undefined }

/** Opens a shop for the calling test file. Test files may share modules, and each closes its database at its end. */
export async function openAmountDueShop() {
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
  const person = await buildUser(db, { phone_verified_at: new Date(), credit_limit_poisha: 100_000_000 })
  const me = shop.visitor()
  await me.signIn(person.phone)

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
    return { id: answer.body.order_id!, cow: cow.id, page: answer.body.redirect_url }
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

  /** Three kg for 300 taka at the POS, of which `onAccount` is paid later. */
  async function sold(onAccount = 0): Promise<Order & { honey: number }> {
    const honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 10_000 })
    const answer = await manager.post('/admin/quick-orders/store', {
      products: [{ id: honey.id, quantity: 3, price: 100 }],
      transactions: { cash: 300 - onAccount },
      ...(onAccount > 0 ? { on_account: onAccount } : {}),
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

  /** 3 kg now and 2 kg ten days later, for two charges: 660 taka, to be paid in cash at each delivery. */
  async function split(): Promise<Order> {
    minuteLater()
    const honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 10_000 })
    const later = await buildProduct(db, { stock_milli: 50_000, price_poisha: 10_000, status: 'pre-book', delivery_on: '2026-12-01' })
    const lines: [number, number][] = [
      [honey.id, 3],
      [later.id, 2],
    ]
    const body = orderBody(area.id, lines, { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', deliveries: 2 })
    const answer = await me.post('/customer-orders', { ...body, customer: { ...body.customer, phone: person.phone } })
    expect(answer.status, answer.text).toBe(200)
    minuteLater()
    return { id: answer.body.order_id!, cow: 0, honey: honey.id }
  }

  /** The amount due on each page, in the SMS and in each route, in taka. */
  async function duesOf({ id }: Order): Promise<Record<string, unknown>> {
    const html = { accept: 'text/html' }
    const page = async <T>(visitor: typeof me, path: string) => pageProps<T>((await visitor.get(path, html)).text)
    const invoice = (await page<{ order: OrderJson }>(me, `/invoice/${id}`)).order
    const [row] = (await page<{ list: { rows: { due: number }[] } }>(manager, `/admin/orders?q=${id}`)).list.rows
    const listed = async (filter: string) =>
      (await page<{ list: { rows: { id: number }[] } }>(manager, `/admin/orders?q=${id}&due=${filter}`)).list.rows.length === 1
    const account = (await page<{ orders: OrderJson[] }>(me, '/account')).orders.find((order) => order.id === id)
    const details = (
      await page<{ order: { due: number; paid: number; settlement: number; money: string } }>(manager, `/admin/orders/update/${id}`)
    ).order
    const printed = (await page<{ orders: { order: OrderJson }[] }>(manager, `/admin/orders/invoice/${id}`)).orders[0]!.order
    const receipt = (await page<{ printed: { order: OrderJson } }>(manager, `/admin/quick-orders/pos-invoice/${id}`)).printed.order
    const status = (await me.get(`/payments/status?order=${id}`)).body as { due_amount: number; paid_amount: number }
    expect([invoice.paid, account?.paid, details.paid, status.paid_amount]).toEqual(Array(4).fill(invoice.paid))
    return {
      invoice: invoice.due,
      account: account?.due,
      'admin order page': details.due,
      'admin order list': row?.due,
      'printed invoice': printed.due,
      'POS receipt': receipt.due,
      'payment status': status.due_amount,
      SMS: await smsOf(id),
      'list of orders with money due': await listed('yes'),
      'list of refunds due': await listed('refund'),
    }
  }

  async function smsOf(orderId: number): Promise<string> {
    const text = { en: '{due}', bn: '{due}' }
    const event = `test-${Math.random()}`
    await queueOrderSms(db, orderSmsShop('', { ...DEFAULT_SETTINGS, sms_english: true }), { orderId, event, text })
    const { rows } = await sql<{ body: string }>`delete from sms_outbox where template = ${event} returning body`.execute(db)
    return rows[0]!.body.replace(/[^\d.]/g, '')
  }

  /** The amount of a new payment page; null when nothing is payable online. */
  async function payAgain(id: number): Promise<number | null> {
    const answer = await me.post(`/orders/${id}/pay`, {})
    if (answer.status !== 200) return null
    const { rows } = await sql<{ amount: number }>`
      select amount_poisha::float8 / 100 as amount from payment_attempts where order_id = ${id} order by id desc limit 1`.execute(db)
    return rows[0]!.amount
  }
  return {
    db,
    shop,
    manager,
    person,
    versionOf,
    ordered,
    online,
    partly,
    pay,
    refund,
    move,
    weigh,
    sold,
    split,
    takeBack,
    duesOf,
    payAgain,
  }
}

/** The result of `duesOf` for this amount due, in taka. Status and SMS show refunds as zero. */
export function expectedDues(due: number) {
  const owed = Math.max(0, due)
  return {
    invoice: due,
    account: due,
    'admin order page': due,
    'admin order list': due,
    'printed invoice': due,
    'POS receipt': due,
    'payment status': owed,
    SMS: String(owed),
    'list of orders with money due': due > 0,
    'list of refunds due': due < 0,
  }
}
