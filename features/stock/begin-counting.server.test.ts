import { afterEach, expect, it } from 'vitest'
import { signedIn, stockOf, storeBody } from '#features/orders/testing/admin-shop.ts'
import { adminOrder } from '#features/orders/testing/online-payments.ts'
import { move, orderAt, takeBack } from '#features/orders/testing/delivered-order.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Staff begin to count a product, or count it again after a time without: what its orders hold moves with them as if they were placed now.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const { id: areaId } = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
afterEach(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const jars = (stock_milli: number | null) => buildProduct(db, { unit: 'piece', price_poisha: 10_000, stock_milli })
const enter = async (id: number, kind: string, quantity = '') => {
  const answer = await manager.post(`/admin/products/${id}/stock`, { kind, quantity, note: '' })
  expect(answer.status, answer.text).toBe(200)
}
const edit = async (id: number, lines: [number, number][]) => {
  const { version } = await adminOrder(manager, id)
  return manager.post(`/admin/orders/update/${id}`, { address: 'House 5', version, products: storeBody(areaId, lines).products })
}
const order = (lines: [number, number][], status: string) => orderAt(manager, { areaId, lines, paid: 0, status })

it('products that were sold before come back into the stock', async () => {
  const { id } = await jars(null)
  const sold = await order([[id, 3]], 'delivered')
  await enter(id, 'counted', '10')
  expect((await takeBack(manager, sold, [{ product_id: id, quantity: 1 }])).status).toBe(200)
  expect((await takeBack(manager, sold, [{ product_id: id, quantity: 1, damaged: true }])).status).toBe(200)
  expect(await stockOf(db, id)).toMatchObject({ left: 11 })
})

it('an order that was placed before keeps its quantity, and takes and gives back what is changed', async () => {
  const { id } = await jars(null)
  const other = await jars(null)
  const placed = await order([[id, 3]], 'placed')
  await enter(id, 'received', '2')
  expect(
    (
      await edit(placed, [
        [id, 3],
        [other.id, 1],
      ])
    ).status,
  ).toBe(200)
  expect(await stockOf(db, id)).toMatchObject({ left: 2 })
  expect((await edit(placed, [[id, 4]])).status).toBe(200)
  expect(await stockOf(db, id)).toMatchObject({ left: 1 })
  await move(manager, placed, 'cancelled')
  expect(await stockOf(db, id)).toMatchObject({ left: 5 })
})

it('what changed while the product was not counted moves nothing afterwards', async () => {
  const { id } = await jars(20_000)
  const other = await jars(null)
  const [cancelled, reduced, removed, returned] = [
    await order([[id, 5]], 'placed'),
    await order([[id, 5]], 'placed'),
    await order(
      [
        [id, 5],
        [other.id, 1],
      ],
      'placed',
    ),
    await order([[id, 4]], 'delivered'),
  ]
  expect(await stockOf(db, id)).toMatchObject({ left: 1 })
  await enter(id, 'uncounted')
  await move(manager, cancelled, 'cancelled')
  await edit(reduced, [[id, 2]])
  await edit(removed, [[other.id, 1]])
  await takeBack(manager, returned, [{ product_id: id, quantity: 1 }])
  await enter(id, 'counted', '30')
  expect(await stockOf(db, id)).toMatchObject({ left: 30 })
  await move(manager, cancelled, 'placed')
  expect(await stockOf(db, id)).toMatchObject({ left: 25 })
  await move(manager, reduced, 'cancelled')
  expect(await stockOf(db, id)).toMatchObject({ left: 27 })
  await move(manager, removed, 'cancelled')
  await move(manager, returned, 'returned')
  expect(await stockOf(db, id)).toMatchObject({ left: 30 })
})
