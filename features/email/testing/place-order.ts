import { addDays, dhakaDate } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { buildProduct, buildUser } from '#test/factories.ts'

/** An order of two kilograms of mangoes, cash on delivery, 240 + 80 taka, with a line and without checks of the checkout. */
export async function placeOrder(db: Db, row: Record<string, unknown> = {}): Promise<{ id: number }> {
  const customer = await buildUser(db, { password: null })
  const product = await buildProduct(db)
  const standard = {
    customer_id: customer.id,
    source: 'web',
    name: 'Rahima Khatun',
    phone: customer.phone,
    email: 'rahima@mail.example',
    address: 'House 5, Road 3',
    lang: 'en' as const,
    subtotal_poisha: 24_000,
    shipping_poisha: 8000,
    discount_poisha: 0,
    total_poisha: 32_000,
    payable_poisha: 0,
    payment_type: 'cash_on_delivery',
    payment_gateway: 'NONE',
    list_on: addDays(dhakaDate(new Date()), 1),
    placed_at: new Date(),
    view_key: randomToken(),
    tracking_code: randomToken(16),
  }
  const order = await db
    .insertInto('orders')
    .values({ ...standard, ...row } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = {
    order_id: order.id,
    position: 1,
    product_id: product.id,
    name_en: 'Himsagar mango',
    name_bn: 'হিমসাগর আম',
    unit: 'kg',
    quantity_milli: 2000,
    base_price_poisha: 12_000,
    price_poisha: 12_000,
    line_total_poisha: 24_000,
    advance_poisha: 0,
  }
  await db
    .insertInto('order_lines')
    .values(line as never)
    .execute()
  return order
}
