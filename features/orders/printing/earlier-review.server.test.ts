import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { OrderJson } from '../types.ts'
import { invoicePaymentState, type PaymentStatusJson } from './invoice-rules.ts'
import { awaitsDecision, hasNews } from './payment-news-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const simulator = await startSimulator()
Object.assign(shop.deps.gateways, { sslcommerz: simulator.sslcommerz, bkash: simulator.bkash, default: 'sslcommerz' })
afterAll(() => simulator.close())

it('a payment on an earlier page that staff review is what the invoice shows, so that it does not load again and again', async () => {
  await simulator.faults({ notify: 'never' })
  const [area, honey] = [await buildArea(db), await buildProduct(db, { unit: 'piece' })]
  const guest = shop.visitor()
  await guest.get('/cart', { accept: 'text/html' })
  const { body } = await guest.post('/customer-orders', orderBody(area.id, [[honey.id, 3]], { payment_gateway: 'sslcommerz' }))
  expect((await guest.post(`/orders/${body.order_id}/pay`, { payment_gateway: 'bkash' })).status).toBe(200)
  await sql`update payment_attempts set state = 'review' where order_id = ${body.order_id} and gateway = 'sslcommerz'`.execute(db)
  const { order } = pageProps<{ order: OrderJson }>((await guest.get(`/invoice/${body.order_id}`, { accept: 'text/html' })).text)
  const status = (await guest.get(`/payments/status?order=${body.order_id}`)).body as unknown as PaymentStatusJson
  expect([status.payment, invoicePaymentState(order)]).toEqual(['review', 'review'])
  expect([awaitsDecision(order), hasNews(order, status)]).toEqual([true, false])
  // Once the order is paid, the payment under review no longer decides.
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha) select id, 'gateway', 'bkash', payable_poisha from orders
    where id = ${body.order_id}`.execute(db)
  const paid = pageProps<{ order: OrderJson }>((await guest.get(`/invoice/${body.order_id}`, { accept: 'text/html' })).text)
  expect([paid.order.attempt?.gateway, invoicePaymentState(paid.order)]).toEqual(['bkash', 'paid'])
})
