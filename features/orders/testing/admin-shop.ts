import { sql } from 'kysely'
import type { Role } from '#features/auth/sessions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildAnimal, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'
import type { AdminOrder } from '../history/order-details.server.ts'

/** A signed-in user of a role. */
export async function signedIn(shop: TestShop, role: Role): Promise<Visitor & { id: number }> {
  const user = await buildUser(shop.db, { role })
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  return Object.assign(visitor, { id: user.id })
}

/** The body of POST /admin/orders/store as its page sends it. */
export function storeBody(
  areaId: number,
  lines: [productId: number, quantity: number, price?: number][],
  more: Record<string, unknown> = {},
) {
  return {
    name: 'Rahima Khatun',
    phone: '01712345678',
    email: '',
    address: 'House 5, Road 3',
    area_id: areaId,
    status: 'placed',
    shipping_cost: '',
    discount: '',
    landmark: '',
    note: '',
    remarks: '',
    products: lines.map(([product_id, quantity, price]) => ({ product_id, quantity, base_price: 0, price_on_order: price ?? '' })),
    ...more,
  }
}

export function orderOf(answer: Answer): AdminOrder {
  return (answer.body as { order: AdminOrder }).order
}

/** A cow and three jars, ordered by a shopper who sends an advance by hand. */
export async function orderedByShopper(shop: TestShop, areaId: number, { jars = 3, stock = 10 } = {}) {
  const cow = await buildAnimal(shop.db)
  const honey = await buildProduct(shop.db, {
    unit: 'piece',
    stock_milli: stock * 1000,
    price_poisha: 50_000,
    name_en: 'Honey',
    name_bn: 'মধু',
  })
  const lines: [number, number][] = [
    [cow.id, 1],
    [honey.id, jars],
  ]
  const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const { body, text } = await shop.post('/customer-orders', orderBody(areaId, lines, payment))
  if (!body.order_id) throw new Error(text)
  return { id: body.order_id, cow: cow.id, tag: cow.tag_number ?? '', honey: honey.id }
}

/** The stock and the status of a product. */
export async function stockOf(db: Db, id: number): Promise<{ left: number | null; status: string }> {
  const { rows } = await sql<{ left: number | null; status: string }>`
    select stock_milli::float8 / 1000 as left, status from products where id = ${id}`.execute(db)
  return rows[0]!
}
