import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { expectInvariants } from '#test/invariants.ts'
import { openAmountDueShop } from '../testing/amount-due-shop.ts'

const { db, manager, online, shop, weigh } = await openAmountDueShop()
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const totalOf = async (id: number) =>
  (
    await sql<{ total: number }>`select (total_poisha + settlement_poisha) / 100.0::float8 as total from orders where id = ${id}`.execute(
      db,
    )
  ).rows[0]!.total

it('the price of an animal whose final weighing is settled stays: its settlement was at the old rate', async () => {
  const order = await online()
  await weigh(order, 210)
  expect(await totalOf(order.id)).toBe(106_500)
  const edit = (price_on_order: number, more: object = {}) =>
    manager.post(`/admin/orders/update/${order.id}`, {
      address: 'House 5, Road 3',
      products: [{ product_id: order.cow, quantity: 1, base_price: 1, price_on_order }],
      ...more,
    })
  const refused = await edit(90_000)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { products: [expect.stringMatching(/final weighing of .* is settled.*discount/i)] },
  ])
  expect(await totalOf(order.id)).toBe(106_500)
  const discounted = await edit(100_000, { discount: 10_000 })
  expect(discounted.status, discounted.text).toBe(200)
  expect(await totalOf(order.id)).toBe(96_500)
})
