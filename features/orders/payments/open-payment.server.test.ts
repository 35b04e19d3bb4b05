import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { findOpenPayment } from '#features/payments/queries.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const manager = await signedIn(shop, 'manager')
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db, { price_poisha: 10_000 })

async function placed(payment: Record<string, unknown>): Promise<number> {
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[mango.id, 1]], payment))
  if (!body.order_id) throw new Error(text)
  return body.order_id
}
const shown = async (id: number) =>
  pageProps<{ openPayment: object | null }>((await manager.get(`/admin/orders/update/${id}`, { accept: 'text/html' })).text).openPayment

it('the order page names an open payment page until it has a result', async () => {
  const id = await placed({ payment_type: 'full', payment_gateway: 'pgw', payable_amount: 180 })
  expect(await shown(id)).toEqual({ gateway: 'sslcommerz', amount: 180, since: expect.stringMatching(/^\d{4}-.*Z$/) })
  await sql`update payment_attempts set state = 'failed' where order_id = ${id}`.execute(db)
  expect(await shown(id)).toBeNull()
})

it('a page beside which the same money was paid is named no longer', async () => {
  const id = await placed({ payment_type: 'full', payment_gateway: 'pgw', payable_amount: 180 })
  const pay = (amount: number) =>
    sql`insert into ledger_entries (order_id, kind, method, amount_poisha) values (${id}, 'advance', 'cash', ${amount})`.execute(db)
  await pay(10_000)
  expect(await shown(id)).toMatchObject({ amount: 180 })
  await pay(8000)
  expect(await shown(id)).toBeNull()
})

it('an order in cash has none', async () => {
  expect(await findOpenPayment(db, await placed({ payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }))).toBeNull()
})
