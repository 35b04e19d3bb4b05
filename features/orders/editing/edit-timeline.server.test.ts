import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, orderOf, signedIn } from '../testing/admin-shop.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')

it('edited lines stand in the timeline with the names of their products, also of those that left the order', async () => {
  const { id, cow, tag, honey } = await orderedByShopper(shop, area.id, { jars: 3 })
  const mango = await buildProduct(db, { name_en: 'Mango', price_poisha: 12_000 })
  const line = (product_id: number, quantity: number) => ({ product_id, quantity, base_price: 1, price_on_order: '' })
  const products = [line(cow, 1), line(mango.id, 2.5)]
  const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', products })
  const nameOf = async (product: number) =>
    (await db.selectFrom('products').select('name_en').where('id', '=', product).executeTakeFirstOrThrow()).name_en
  expect(orderOf(answer).events.find(({ detail }) => 'lines' in detail)?.detail.lines).toEqual({
    from: [`${await nameOf(cow)} · ${tag}: 1 × 110000`, `${await nameOf(honey)}: 3 × 500`],
    to: [`${await nameOf(cow)} · ${tag}: 1 × 110000`, 'Mango: 2.5 × 120'],
  })
})
