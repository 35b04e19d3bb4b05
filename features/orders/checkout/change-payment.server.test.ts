import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { storeSettings } from '#test/settings.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { Visitor } from '#test/visitor.ts'
import { expireOrders } from '../status/expire-orders.server.ts'
import type { OrderJson, PaymentChoicesJson } from '../types.ts'

// An order whose payment failed or was abandoned: other payment methods, and products back to the cart.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const simulator = await startSimulator()
const { sslcommerz, bkash } = simulator
Object.assign(shop.deps.gateways, { sslcommerz, bkash, default: 'sslcommerz' })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
afterAll(() => simulator.close())

const NOW = new Date('2026-11-20T06:00:00Z')
let before = new Map<number, number>()
beforeEach(async () => {
  before.clear()
  shop.clock.now = NOW
  await simulator.faults({ notify: 'never' })
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const expiryDeps = { ...shop.deps, catalogChanged: () => shop.deps.catalogRevision.advance() }
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)

async function browser(): Promise<Visitor> {
  const visitor = shop.visitor()
  await visitor.get('/cart', { accept: 'text/html' })
  return visitor
}

/** Three jars of 420 taka, to be paid in full online. */
async function honeyOrder(gateway = 'sslcommerz', visitor?: Visitor) {
  const guest = visitor ?? (await browser())
  const honey = await buildProduct(db, { name_en: 'Honey', unit: 'piece', stock_milli: 5000, price_poisha: 42_000 })
  return { guest, product: honey.id, ...(await place(guest, [[honey.id, 3]], gateway)) }
}

/** A cow of 110,000 taka whose advance is 10,000, to be paid in full online. */
async function cowOrder(gateway = 'sslcommerz') {
  const guest = await browser()
  const cow = await buildAnimal(db)
  return { guest, product: cow.id, ...(await place(guest, [[cow.id, 1]], gateway)) }
}

async function place(guest: Visitor, lines: [number, number][], gateway: string) {
  before = await countStock(db)
  const { body, text } = await guest.post('/customer-orders', orderBody(area.id, lines, { payment_gateway: gateway }))
  expect(body.redirect_url, text).toBeTypeOf('string')
  return { id: body.order_id!, page: body.redirect_url! }
}

async function leaveBy(page: string, label: string) {
  const pressed = await simulator.press(page, label)
  const isCard = page.includes('EasyCheckOut')
  return fetch(
    pressed.location,
    isCard ? { method: 'POST', body: new URLSearchParams(pressed.body), redirect: 'manual' } : { redirect: 'manual' },
  )
}

const change = (visitor: Visitor, id: number, method: string, key = '') => visitor.post(`/orders/${id}/payment-method${key}`, { method })
const toCart = (visitor: Visitor, id: number, key = '') => visitor.post(`/orders/${id}/to-cart${key}`, {})

async function row(id: number) {
  const { rows } = await sql<Record<string, unknown>>`
    select o.status, o.payment_type as type, o.payment_gateway as gateway, o.payable_poisha / 100 as payable, o.expires_at, amount_due(o) / 100 as due,
      o.needs_attention as attention, (select array_agg(state order by id) from payment_attempts where order_id = o.id) as attempts,
      (select coalesce(array_agg(kind order by id), '{}') from order_events where order_id = o.id) as events
    from orders o where o.id = ${id}`.execute(db)
  return rows[0]!
}

const pageOf = async (visitor: Visitor, id: number) =>
  pageProps<{ order: OrderJson; choices: PaymentChoicesJson | null }>((await visitor.get(`/invoice/${id}`, { accept: 'text/html' })).text)

describe('a payment that the payer cancels at the gateway', () => {
  it.each([
    ['sslcommerz', 'Cancel', 'payment-cancelled', true],
    ['bkash', 'Cancel', 'payment-cancelled', true],
    ['sslcommerz', 'Fail', 'payment-failed', false],
  ])('%s, %s: adds the event %s', async (gateway, label, kind, isCancelled) => {
    const { guest, id, page } = await honeyOrder(gateway)
    await leaveBy(page, label)
    expect((await row(id)).events).toContain(kind)
    const { order } = await pageOf(guest, id)
    expect(order.attempt).toMatchObject({ state: 'failed', is_cancelled: isCancelled })
  })
})

describe('changing the payment method', () => {
  it('offers the methods of the checkout: cash for groceries, an advance for a cow, the other gateway for both', async () => {
    const honey = await honeyOrder()
    expect((await pageOf(honey.guest, honey.id)).choices).toEqual({
      online: ['bkash'],
      amount: 1340,
      is_rest: false,
      advance: null,
      cash_on_delivery: true,
    })
    const cow = await cowOrder()
    const choices = { online: ['bkash'], amount: 111_500, is_rest: false, advance: null, cash_on_delivery: false }
    // The shop has no account to which it could be sent yet.
    expect((await pageOf(cow.guest, cow.id)).choices).toEqual(choices)
    const payment_numbers = { ...DEFAULT_SETTINGS.payment_numbers, bkash: '01711000009' }
    await storeSettings(db, async () => (await shop.get('/', { accept: 'text/html' })).text, { payment_numbers })
    expect((await pageOf(cow.guest, cow.id)).choices).toEqual({ ...choices, advance: 10_000 })
    expect((await change(honey.guest, honey.id, 'advance')).status).toBe(422)
    expect((await change(cow.guest, cow.id, 'cash_on_delivery')).status).toBe(422)
    // A refused change leaves the open page as it is: pressing Pay leads to it again.
    for (const { id, guest, page } of [honey, cow]) {
      expect(await row(id)).toMatchObject({ type: 'full', gateway: 'sslcommerz', attempts: ['pending'] })
      expect((await guest.post(`/orders/${id}/pay`, {})).body.redirect_url).toBe(page)
    }
  })

  it('a failed card becomes cash on delivery without a deadline; a repeated request changes nothing', async () => {
    const { guest, id, page } = await honeyOrder()
    await leaveBy(page, 'Fail')
    const [first, second] = await Promise.all([change(guest, id, 'cash_on_delivery'), change(guest, id, 'cash_on_delivery')])
    expect([first.status, second.status]).toEqual([200, 200])
    const now = await row(id)
    expect(now).toMatchObject({ status: 'placed', type: 'cash_on_delivery', gateway: 'NONE', payable: 0, expires_at: null, due: 1340 })
    expect((now.events as string[]).filter((kind) => kind === 'payment-method-changed')).toHaveLength(1)
    shop.clock.now = minutes(120)
    await expireOrders(expiryDeps)
    expect((await row(id)).status).toBe('placed')
  })

  it('a late payment is recorded and lowers the cash due', async () => {
    const { guest, id, page } = await honeyOrder()
    expect((await change(guest, id, 'cash_on_delivery')).status).toBe(200)
    await simulator.press(page, 'Pay with VISA')
    shop.clock.now = minutes(5)
    await reconcilePayments(shop.deps)
    expect(await row(id)).toMatchObject({ status: 'placed', type: 'cash_on_delivery', due: 0, attempts: ['paid'], attention: null })
    expect((await change(guest, id, 'advance')).status).toBe(409)
  })

  it('bKash: the old payment page is not executed after the change to cash, so no money moves', async () => {
    const { guest, id, page } = await honeyOrder('bkash')
    expect((await change(guest, id, 'cash_on_delivery')).status).toBe(200)
    await leaveBy(page, 'Pay')
    expect(await row(id)).toMatchObject({ due: 1340, attempts: ['expired'] })
    expect((await sql`select 1 from ledger_entries where order_id = ${id}`.execute(db)).rows).toEqual([])
  })

  it('a cow is changed to an advance with amount, deadline and report, and back to a gateway for the same amount', async () => {
    const { guest, id, page } = await cowOrder()
    await leaveBy(page, 'Fail')
    shop.clock.now = minutes(20)
    expect((await change(guest, id, 'advance')).status).toBe(200)
    expect(await row(id)).toMatchObject({ type: 'partial', gateway: 'NONE', payable: 10_000, expires_at: minutes(50) })
    shop.clock.now = minutes(45)
    const paid = await guest.post(`/orders/${id}/pay`, { payment_gateway: 'bkash' })
    expect([paid.status, await row(id)]).toMatchObject([200, { gateway: 'bkash', payable: 10_000 }])
    // Repeated changes extend the deadline to three times its length at most.
    shop.clock.now = minutes(74)
    expect((await change(guest, id, 'advance')).status).toBe(200)
    expect((await row(id)).expires_at).toEqual(minutes(90))
    const report = { method: 'bkash', transaction_id: `LATE${id}A`, sender: '01711111111', amount: 10_000 }
    expect((await guest.post(`/orders/${id}/advance`, report)).status).toBe(200)
    // No second payment is accepted while the transfer is verified.
    for (const again of [await guest.post(`/orders/${id}/pay`, {}), await change(guest, id, 'cash_on_delivery'), await toCart(guest, id)])
      expect(again.status).toBe(409)
  })

  it('a repeated request to place the order opens no payment page for it', async () => {
    const guest = await browser()
    const cow = await buildAnimal(db)
    before = await countStock(db)
    const body = orderBody(area.id, [[cow.id, 1]], { payment_gateway: 'sslcommerz' })
    const send = () => guest.post('/customer-orders', body, { key: 'a-repeated-order-of-a-cow' })
    const { body: placed } = await send()
    expect((await change(guest, placed.order_id!, 'advance')).status).toBe(200)
    const again = await send()
    expect([again.status, again.body]).toEqual([200, { order_id: placed.order_id }])
    expect(await row(placed.order_id!)).toMatchObject({ gateway: 'NONE', payable: 10_000, attempts: ['expired'] })
  })

  it('is rejected while the gateway processes a payment or does not answer', async () => {
    const { guest, id, page } = await honeyOrder('bkash')
    await simulator.faults({ notify: 'never', query: 'error' })
    expect((await change(guest, id, 'cash_on_delivery')).status).toBe(502)
    await simulator.faults({ notify: 'never' })
    await leaveBy(page, 'Pay')
    expect((await change(guest, id, 'cash_on_delivery')).status).toBe(409)
    expect(await row(id)).toMatchObject({ type: 'full', due: 0 })
  })

  it('of a concurrent payment page and change one succeeds', async () => {
    const { guest, id, page } = await honeyOrder()
    await leaveBy(page, 'Fail')
    const [paid, changed] = await Promise.all([
      guest.post(`/orders/${id}/pay`, { payment_gateway: 'bkash' }),
      change(guest, id, 'cash_on_delivery'),
    ])
    const now = await row(id)
    if (now.type === 'cash_on_delivery') expect([changed.status, now.payable]).toEqual([200, 0])
    else expect([paid.status, changed.status, now.gateway]).toEqual([200, 409, 'bkash'])
    if (paid.status === 200 && changed.status === 200) expect((now.attempts as string[]).at(-1)).toBe('expired')
  })

  it('needs the buyer or the link of the SMS; strangers and invalid bodies are rejected', async () => {
    const { guest, id } = await honeyOrder()
    const stranger = await browser()
    const { rows } = await sql<{ view_key: string }>`select view_key from orders where id = ${id}`.execute(db)
    for (const ask of [change, (who: Visitor, of: number, _: string, key?: string) => toCart(who, of, key)]) {
      expect((await ask(stranger, id, 'cash_on_delivery')).status).toBe(404)
      expect((await ask(stranger, id, 'cash_on_delivery', '?key=wrong')).status).toBe(404)
    }
    expect((await guest.post('/orders/999999999/payment-method', { method: 'cash_on_delivery' })).status).toBe(404)
    for (const body of [{}, { method: 'barter' }, { method: 'advance', extra: 1 }])
      expect((await guest.post(`/orders/${id}/payment-method`, body)).status).toBe(422)
    expect((await change(stranger, id, 'cash_on_delivery', `?key=${rows[0]!.view_key}`)).status).toBe(200)
  })

  it('needs the CSRF token; a viewer is rejected', async () => {
    const { id } = await honeyOrder()
    const viewer = await buildUser(db, { role: 'viewer' })
    const staff = shop.visitor()
    await staff.signIn(viewer.phone)
    expect((await change(staff, id, 'cash_on_delivery')).status).toBe(404)
    const forged = await fetch(`${shop.deps.env.publicUrl}/orders/${id}/to-cart`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(forged.status).toBe(403)
    expect(await row(id)).toMatchObject({ status: 'placed', type: 'full' })
  })
})

describe('products back to the cart', () => {
  it('cancels the unpaid order, releases its stock and returns the cart lines; a repeated request returns the same', async () => {
    const { guest, id, product, page } = await honeyOrder()
    await leaveBy(page, 'Cancel')
    const answers = await Promise.all([toCart(guest, id), toCart(guest, id)])
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([200, { lines: [{ product: { id: product }, quantity: 3, less: false }], missing: [] }])
    const now = await row(id)
    expect(now).toMatchObject({ status: 'cancelled', expires_at: null })
    expect((now.events as string[]).filter((kind) => kind === 'status')).toHaveLength(1)
    const { rows } = await sql<{ stock_milli: number }>`select stock_milli from products where id = ${product}`.execute(db)
    expect(rows[0]!.stock_milli).toBe(5000)
  })

  it('returns the lines of an expired order to its guest, and names the cow of another order', async () => {
    const { guest, id, product } = await cowOrder()
    shop.clock.now = minutes(31)
    await expireOrders(expiryDeps)
    expect((await row(id)).status).toBe('cancelled')
    expect((await toCart(guest, id)).body).toMatchObject({ lines: [{ product: { id: product }, quantity: 1 }], missing: [] })
    const other = await browser()
    await other.post('/customer-orders', orderBody(area.id, [[product, 1]], {}))
    expect((await toCart(guest, id)).body).toMatchObject({ lines: [], missing: [expect.stringContaining('Cow')] })
  })

  it('is rejected for an order that is paid, sent, or with cash on delivery', async () => {
    const { guest, id } = await honeyOrder()
    expect((await change(guest, id, 'cash_on_delivery')).status).toBe(200)
    expect((await toCart(guest, id)).status).toBe(409)
    const paid = await honeyOrder('bkash')
    await leaveBy(paid.page, 'Pay')
    expect((await toCart(paid.guest, paid.id)).status).toBe(409)
    expect([(await row(id)).status, (await row(paid.id)).status]).toEqual(['placed', 'placed'])
  })
})

it('an unpaid order has no delivery date on its tracking page', async () => {
  const { guest, id, page } = await honeyOrder('bkash')
  const { order } = await pageOf(guest, id)
  const days = async () =>
    pageProps<{ orders: { delivery_dates: string[] }[] }>((await guest.get(order.tracking_url, { accept: 'text/html' })).text).orders[0]!
      .delivery_dates
  expect(await days()).toEqual([])
  await leaveBy(page, 'Pay')
  expect(await days()).toEqual([order.deliver_on])
})
