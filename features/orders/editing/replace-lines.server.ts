import { sql } from 'kysely'
import { bookedRatePerKg } from '#features/cattle/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { PricedProduct } from './order-line-pricing.server.ts'
import type { AdminLine } from './pricing-rules.ts'
import { writeLines } from './insert-order.server.ts'

/** Replaces the lines of an order. Remaining lines keep name, tag and weight; new ones get the product's current data. */
export async function replaceLines(tx: Db, orderId: number, lines: readonly AdminLine[], products: PricedProduct): Promise<void> {
  const ids = lines.map((line) => line.productId)
  await sql`delete from order_lines where order_id = ${orderId} and product_id <> all(${ids}::bigint[])`.execute(tx)
  const unchanged = lines.filter((line) => products.frozen.has(line.productId))
  const rows = unchanged.map((line) => ({
    product_id: line.productId,
    quantity_milli: line.quantityMilli,
    base: line.basePrice,
    price: line.price,
    total: line.total,
    advance: line.advance,
    rate: bookedRatePerKg(line.price, products.frozen.get(line.productId)?.bookedGrams ?? null),
  }))
  await sql`update order_lines l set quantity_milli = n.quantity_milli, base_price_poisha = n.base, price_poisha = n.price,
      line_total_poisha = n.total, advance_poisha = n.advance,
      booked_rate_poisha = case when n.rate is not null and l.price_poisha <> n.price then n.rate else l.booked_rate_poisha end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(product_id bigint, quantity_milli bigint, base bigint, price bigint, total bigint, advance bigint, rate bigint)
    where l.order_id = ${orderId} and l.product_id = n.product_id`.execute(tx)
  const last = await tx
    .selectFrom('order_lines')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  const added = lines.filter((line) => !products.frozen.has(line.productId))
  if (added.length > 0) await writeLines(tx, orderId, added, products, (last?.position ?? 0) + 1)
}
