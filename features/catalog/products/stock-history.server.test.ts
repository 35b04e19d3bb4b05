import { expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { move, orderAt, takeBack } from '#features/orders/testing/delivered-order.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { listMovements } from './count-stock.server.ts'

// What the stock history calls products that left an order: reserved products are released, sent ones returned.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
// Movements have the time of the database, events that of the process.
shop.clock.now = new Date()
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')

async function reasonsOf(steps: (id: number, product: number) => Promise<unknown>, status = 'delivered') {
  const { id: product } = await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 10_000 })
  const id = await orderAt(manager, { areaId: area.id, lines: [[product, 3]], paid: status === 'placed' ? 0 : 380, status })
  shop.clock.now = new Date()
  await steps(id, product)
  return (await listMovements(db, product)).filter(({ delta }) => delta > 0).map(({ reason }) => reason)
}

it('of a cancelled order are released', async () => {
  expect(await reasonsOf((id) => move(manager, id, 'cancelled'), 'placed')).toEqual(['freed'])
})

it('of a delivered order are returned', async () => {
  const one = (id: number, product: number) => takeBack(manager, id, [{ product_id: product, quantity: 1 }])
  expect(await reasonsOf(one)).toEqual(['returned'])
  expect(await reasonsOf((id) => move(manager, id, 'returned'))).toEqual(['returned'])
})

it('of a returned order that was reopened and cancelled are released', async () => {
  const steps = async (id: number) => {
    for (const status of ['returned', 'processing', 'cancelled']) {
      shop.clock.now = new Date()
      await move(manager, id, status)
    }
  }
  expect(await reasonsOf(steps)).toEqual(['freed', 'returned'])
})

it('sold at the POS are returned, with and without a receipt', async () => {
  await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
  const { id } = await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 10_000 })
  const sale = { products: [{ id, quantity: 3 }], customer: { phone: '01712345678' }, total: 300 }
  const sold = await manager.post('/admin/quick-orders/store', { ...sale, transactions: { cash: 300 }, change_amount: 0 })
  const back = { lines: [{ product_id: id, quantity: 1 }], refund: { cash: 100 }, reason: 'Soft' }
  expect((await manager.post(`/admin/quick-orders/return/${sold.body.order_id}`, back)).status).toBe(200)
  expect((await listMovements(db, id)).slice(0, 2).map(({ reason }) => reason)).toEqual(['returned', 'ordered'])
})
