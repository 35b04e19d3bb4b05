import { afterEach, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { orderAt, takeBack } from '../testing/delivered-order.ts'

// Who prints the receipt of a return, which names the customer.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const [manager, cashier] = [await signedIn(shop, 'manager'), await signedIn(shop, 'cashier')]
let before = new Map<number, number>()
let mango = 0
beforeEach(async () => {
  mango = (await buildProduct(db, { unit: 'kg', stock_milli: 40_000, price_poisha: 10_000 })).id
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

type Returned = { return_id?: number }
const statuses = (who: Visitor, id: number | undefined) =>
  Promise.all([
    who.get(`/admin/quick-orders/return-receipts/${id}`, { accept: 'text/html' }),
    who.get(`/api/admin/quick-orders/return-receipts/${id}`),
  ]).then((answers) => answers.map(({ status }) => status))

it('of an order that was not sold at the POS: only staff who may read orders', async () => {
  const id = await orderAt(manager, { areaId: area.id, lines: [[mango, 10]], paid: 1080 })
  const { return_id: returned } = (await takeBack(manager, id, [{ product_id: mango, quantity: 1 }])).body as Returned
  expect(await statuses(cashier, returned)).toEqual([404, 404])
  expect(await statuses(manager, returned)).toEqual([200, 200])
})

it('of a POS sale: cashiers too', async () => {
  await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
  const sale = { products: [{ id: mango, quantity: 10 }], customer: { phone: '01712345678' }, total: 1000 }
  const { order_id: id } = (await manager.post('/admin/quick-orders/store', { ...sale, transactions: { cash: 1000 }, change_amount: 0 }))
    .body
  const back = { lines: [{ product_id: mango, quantity: 1 }], refund: { cash: 100 }, reason: 'Soft' }
  const { return_id: returned } = (await manager.post(`/admin/quick-orders/return/${id}`, back)).body as Returned
  expect(await statuses(cashier, returned)).toEqual([200, 200])
  expect(await statuses(manager, returned)).toEqual([200, 200])
})
