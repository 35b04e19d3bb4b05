import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { storeSettings } from '#test/settings.ts'
import type { Visitor } from '#test/visitor.ts'
import type { PaymentChoicesJson } from '../types.ts'

// Cash on delivery from a total on only for phones verified by a code, where the owner wants it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const simulator = await startSimulator()
Object.assign(shop.deps.gateways, { sslcommerz: simulator.sslcommerz, default: 'sslcommerz' })
afterAll(() => simulator.close())

// One kilogram costs 100 taka, its delivery 80.
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db, { unit: 'kg', stock_milli: 1_000_000, price_poisha: 10_000 })
const MESSAGE = 'For this amount, log in with an SMS code sent to the phone of the order.'
const store = (is_code_needed: boolean, code_from_taka: number) =>
  storeSettings(db, async () => (await shop.get('/', { accept: 'text/html' })).text, {
    cash_on_delivery: { is_code_needed, code_from_taka },
  })
beforeEach(() => store(true, 580))

const onDelivery = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', payable_amount: 0 }
const order = (
  by: Pick<Visitor, 'post'>,
  kilograms: number,
  { phone, ...overrides }: { phone?: string } & Record<string, unknown> = {},
) => {
  const body = orderBody(area.id, [[mango.id, kilograms]], { ...onDelivery, ...overrides })
  return by.post('/customer-orders', phone === undefined ? body : { ...body, customer: { ...body.customer, phone } })
}

async function signedIn(overrides: Record<string, unknown> = {}) {
  const user = await buildUser(db, overrides)
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  return { visitor, phone: user.phone }
}

describe('a new order', () => {
  it('of a guest is refused at the payment method from the total on, with its delivery, and not below', async () => {
    expect((await order(shop, 4)).status).toBe(200)
    const refused = await order(shop, 5)
    expect([refused.status, refused.body.errors]).toEqual([422, { payment_type: [MESSAGE] }])
  })

  it('is taken from the verified phone of the account, not from another phone or an unverified account', async () => {
    const verified = await signedIn({ phone_verified_at: new Date() })
    expect((await order(verified.visitor, 50, { phone: verified.phone })).status).toBe(200)
    const other = await order(verified.visitor, 50)
    expect(other.body.errors).toEqual({
      payment_type: ['For this amount, the phone of the order must be confirmed in your account.'],
    })
    const unverified = await signedIn()
    expect((await order(unverified.visitor, 50, { phone: unverified.phone })).status).toBe(422)
  })

  it('that is paid online needs no code', async () => {
    expect((await order(shop, 50, { payment_type: 'full', payment_gateway: 'pgw', payable_amount: undefined })).status).toBe(200)
  })

  it('needs a code for every total from 0 on, and for none while the owner has it off', async () => {
    await store(true, 0)
    expect((await order(shop, 1)).status).toBe(422)
    await store(false, 0)
    expect((await order(shop, 50)).status).toBe(200)
  })

  it('needs none while the shop cannot send SMS', async () => {
    const silent = await openShop({ databaseUrl: url, sendsSms: false })
    expect((await order(silent, 50)).status).toBe(200)
  })

  it('that was placed before the setting is found by a repeated request', async () => {
    await store(false, 0)
    const body = orderBody(area.id, [[mango.id, 50]], onDelivery)
    const send = () => shop.post('/customer-orders', body, { headers: { 'idempotency-key': 'placed-before-the-setting' } })
    const first = await send()
    await store(true, 0)
    const second = await send()
    expect([first.status, second.status, second.body.order_id]).toEqual([200, 200, first.body.order_id])
  })
})

describe('an order whose online payment failed', () => {
  const online = { payment_type: 'full', payment_gateway: 'pgw', payable_amount: undefined }
  const choicesOf = async (visitor: Visitor, id: number) =>
    pageProps<{ choices: PaymentChoicesJson | null }>((await visitor.get(`/invoice/${id}`, { accept: 'text/html' })).text).choices
  const toCash = (visitor: Visitor, id: number) => visitor.post(`/orders/${id}/payment-method`, { method: 'cash_on_delivery' })

  it('cannot become cash on delivery without a code, and can for its verified customer and for staff', async () => {
    const guest = shop.visitor()
    await guest.get('/cart', { accept: 'text/html' })
    const { body } = await order(guest, 50, online)
    expect(await choicesOf(guest, body.order_id!)).toMatchObject({ cash_on_delivery: false })
    expect((await toCash(guest, body.order_id!)).status).toBe(422)
    const { visitor: owner } = await signedIn({ role: 'owner' })
    expect(await choicesOf(owner, body.order_id!)).toMatchObject({ cash_on_delivery: true })
    expect((await toCash(owner, body.order_id!)).status).toBe(200)

    const verified = await signedIn({ phone_verified_at: new Date() })
    const own = await order(verified.visitor, 50, { ...online, phone: verified.phone })
    expect(await choicesOf(verified.visitor, own.body.order_id!)).toMatchObject({ cash_on_delivery: true })
    expect((await toCash(verified.visitor, own.body.order_id!)).status).toBe(200)
  })
})
