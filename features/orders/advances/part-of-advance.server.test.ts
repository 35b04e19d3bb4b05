import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { OrderJson } from '../types.ts'
import { signedIn } from '../testing/admin-shop.ts'
import type { ReportedAdvance } from './advance-history.server.ts'

// A customer reports an advance of ৳10,000 and ৳9,500 arrive: the wallet took its fee.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const sales = await signedIn(shop, 'sales')
const html = { accept: 'text/html' }
afterAll(() => expect(shop.failures).toEqual([]))

it('all pages name what arrived, and one delivery date', async () => {
  const cow = await buildAnimal(db)
  const by = shop.visitor()
  const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
  const { body } = await by.post('/customer-orders', orderBody(area.id, [[cow.id, 1]], payment))
  const id = body.order_id!
  const advance = { method: 'bkash', transaction_id: 'FEE9500001', sender: '017', amount: 10_000 }
  expect((await by.post(`/orders/${id}/advance`, advance)).status).toBe(200)
  const { rows } = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
  const received = { method: 'bkash', transaction_id: 'FEE9500001', amount: 9500, version: rows[0]!.version }
  expect((await sales.post(`/admin/orders/payments/${id}`, received)).status).toBe(200)

  for (const path of [`/invoice/${id}`, `/order/confirmed/${id}`]) {
    const page = (await by.get(path, html)).text
    expect(pageProps<{ order: OrderJson }>(page).order.advances, path).toMatchObject([{ amount: 9500, state: 'verified' }])
    const said = page.match(/to pay ৳500|Expected delivery|once your payment has been received|Due on delivery/g)
    expect(said, path).toEqual(['to pay ৳500', 'Expected delivery'])
  }
  const history = await sales.get('/admin/advances/history', html)
  expect(pageProps<{ page: { rows: ReportedAdvance[] } }>(history.text).page.rows).toMatchObject([{ order_id: id, amount: 9500 }])
})
