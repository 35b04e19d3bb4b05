import { productJson } from '#features/catalog/product-rows.server.ts'
import { listProductRows } from '#features/catalog/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type AgainJson, orderAgain } from './reorder-rules.ts'
import type { OrderJson } from '../types.ts'

/** The products of an order that can be ordered again, for the cart. */
export async function listReorderProducts(db: Db, order: Pick<OrderJson, 'lines'>, lang: Lang): Promise<AgainJson> {
  const rows = await listProductRows(
    db,
    order.lines.map((line) => line.product_id),
  )
  const offers = rows.map((row) => ({ product: productJson(row, lang), stock: row.stock_milli === null ? null : row.stock_milli / 1000 }))
  return orderAgain(order.lines, offers)
}
