import { afterEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { adminOrder, moneyOf, payAtSimulator } from '../testing/online-payments.ts'
import type { OrderJson, PaymentChoicesJson } from '../types.ts'

// The rest of an order whose promised payment has come, paid online: after staff edited the total upward, or instead of cash on delivery.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const at = await payAtSimulator(shop)
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')
afterEach(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const edit = async (id: number, shipping_cost: number) => {
  const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', shipping_cost })
  expect(answer.status, answer.text).toBe(200)
}
const pay = (id: number, body: Record<string, unknown>) => manager.post(`/orders/${id}/pay`, body)
const pageOf = async (id: number) => {
  const { text } = await manager.get(`/invoice/${id}`, { accept: 'text/html' })
  return pageProps<{ order: OrderJson; choices: PaymentChoicesJson | null }>(text)
}
const statusOf = async (id: number) => (await manager.get(`/payments/status?order=${id}`)).body

/** An order of 11,500 taka that was paid in full online. Staff then raised its delivery charge by 400 taka. */
async function edited() {
  const order = await at.orderedInFull(area.id)
  await at.payOn(order.page)
  await edit(order.id, 480)
  return order
}

/** Opens a page for the rest of 400 taka. */
async function opened(id: number, gateway: 'sslcommerz' | 'bkash' = 'sslcommerz'): Promise<string> {
  const { body, text } = await pay(id, { payment_gateway: gateway, due_amount: 400 })
  expect(body.redirect_url, text).toBeTypeOf('string')
  return body.redirect_url!
}

it.each(['sslcommerz', 'bkash'] as const)('a total that grew after it was paid: the rest is paid through %s', async (gateway) => {
  const { id } = await edited()
  const before = await pageOf(id)
  expect(before).toMatchObject({
    order: { paid: 11_500, due: 400 },
    choices: { online: ['sslcommerz', 'bkash'], amount: 400, is_rest: true, advance: null, cash_on_delivery: false },
  })
  const page = await opened(id, gateway)
  expect(await statusOf(id)).toMatchObject({ payment: 'pending', due_amount: 400 })
  const returned = await at.payOn(page)
  if (gateway === 'sslcommerz') await shop.post('/payments/sslcommerz/ipn', returned)
  expect(await statusOf(id)).toMatchObject({ payment: 'paid', due_amount: 0, paid_amount: 11_900 })
  expect(await moneyOf(shop, id)).toMatchObject({ attention: null, ledger: [11_500, 400], attempts: ['paid', 'paid'], expires_at: null })
  const after = await pageOf(id)
  expect(after).toMatchObject({ order: { paid: 11_900, due: 0 }, choices: null })
  expect(after.order.payment_gateway, 'the gateway of the promised payment').toBe(before.order.payment_gateway)
})

it('the rest of a cow after its advance is paid online, and the browser returns to the invoice', async () => {
  const { id } = await at.paid(area.id)
  const { order, choices } = await pageOf(id)
  expect(choices).toMatchObject({ amount: order.due, is_rest: true })
  const { body } = await pay(id, { due_amount: order.due })
  const { location, body: fields } = await at.simulator.press(body.redirect_url!, 'Pay with VISA')
  const back = await fetch(location, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  expect(back.headers.get('location')).toBe(`/invoice/${id}`)
  expect((await pageOf(id)).order).toMatchObject({ due: 0 })
  expect(await moneyOf(shop, id)).toMatchObject({ attention: null, cow: 'sold' })
})

it('without the amount that the payer saw, nothing more is asked for: an old tab still shows the promised payment', async () => {
  const { id } = await edited()
  for (const body of [{}, { payment_gateway: 'bkash' }])
    expect(await pay(id, body)).toMatchObject({ status: 409, body: { message: 'Nothing left to pay online for this order.' } })
  expect(await pay(id, { due_amount: 500 })).toMatchObject({ status: 409, body: { message: /reload the page/ } })
  expect(await pay(id, { due_amount: 0 })).toMatchObject({ status: 409 })
  expect(await pay(id, { due_amount: -400 })).toMatchObject({ status: 422 })
  expect((await moneyOf(shop, id)).attempts).toEqual(['paid'])
})

it('cash on delivery, an unpaid order, and a rest that gateways do not take have no such button', async () => {
  const unpaid = await at.orderedInFull(area.id)
  expect((await pageOf(unpaid.id)).choices).toMatchObject({ is_rest: false, online: ['bkash'] })
  expect(await pay(unpaid.id, { due_amount: 11_500 })).toMatchObject({ status: 409 })
  const { id } = await edited()
  await edit(id, 89)
  expect(await pageOf(id)).toMatchObject({ order: { due: 9 }, choices: null })
  expect(await pay(id, { due_amount: 9 })).toMatchObject({ status: 422 })
})

it.each(['sslcommerz', 'bkash'] as const)('two tabs pay the rest once through %s', async (gateway) => {
  const { id } = await edited()
  const first = await opened(id, gateway)
  shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)
  const second = await opened(id, gateway)
  if (gateway === 'sslcommerz') expect(second, 'the same page').toBe(first)
  await at.payOn(second)
  if (gateway === 'bkash') await at.payOn(first)
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 11_900, ledger: [11_500, 400], attention: null })
})

it('a rest that is paid twice is in the ledger, and the staff see it', async () => {
  const { id } = await edited()
  const page = await opened(id)
  const { version } = await adminOrder(manager, id)
  const cash = await manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount: 400, version })
  expect(cash.status, cash.text).toBe(200)
  expect((await pageOf(id)).order.due).toBe(0)
  await at.payOn(page)
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 12_300, attention: 'paid-twice' })
})

it('an order that was edited again while the page was open: bKash takes nothing that is not due, and the new rest can be paid', async () => {
  const { id } = await edited()
  const page = await opened(id, 'bkash')
  await edit(id, 280)
  await at.payOn(page)
  expect(await pageOf(id)).toMatchObject({ order: { paid: 11_500, due: 200 }, choices: { amount: 200 } })
  const { body } = await pay(id, { payment_gateway: 'bkash', due_amount: 200 })
  await at.payOn(body.redirect_url!)
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 11_700, attention: null })
})

it('an order that was cancelled while the page was open: bKash takes nothing, a card payment goes to the staff', async () => {
  const card = await edited()
  const wallet = await edited()
  const pages = [await opened(card.id), await opened(wallet.id, 'bkash')]
  for (const { id } of [card, wallet]) {
    const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5', status: 'cancelled', reason: 'Moved away' })
    expect(answer.status, answer.text).toBe(200)
  }
  for (const page of pages) await at.payOn(page)
  expect(await moneyOf(shop, card.id)).toMatchObject({ paid: 11_900, attention: 'paid-after-end' })
  expect(await moneyOf(shop, wallet.id)).toMatchObject({ paid: 11_500, attention: null })
  expect(await pay(card.id, { due_amount: 400 })).toMatchObject({ status: 410 })
})

it('a payment of the rest that failed, waits or is in review shows on the page, and another one does not follow a review', async () => {
  const { id } = await edited()
  const failed = await at.simulator.press(await opened(id), 'Fail')
  await fetch(failed.location, { method: 'POST', body: new URLSearchParams(failed.body), redirect: 'manual' })
  expect((await pageOf(id)).order.attempt).toMatchObject({ is_rest: true, state: 'failed', is_cancelled: false })
  const page = await opened(id)
  expect((await pageOf(id)).order.attempt).toMatchObject({ is_rest: true, state: 'pending' })
  await at.payOn(page, { risky: true })
  expect((await pageOf(id)).order.attempt).toMatchObject({ is_rest: true, state: 'review' })
  expect(await pay(id, { due_amount: 400 })).toMatchObject({ status: 409 })
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 11_500, attention: 'risky-payment' })
})
