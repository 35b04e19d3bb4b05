import { sql } from 'kysely'
import { publicCardPath } from '#features/catalog/product-rows.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { IS_IN_REVIEW } from '../delivery-dates.server.ts'
import { expectedDates, type OrderDates } from '../expected-delivery-rules.ts'
import type { OrderStatus } from '../rules.ts'

/** The public page behind the QR code of an invoice: products and status, without data of the customer. */
export interface TrackedOrder {
  status: OrderStatus
  /** The expected delivery dates; empty for an order that has ended or waits for payment. */
  delivery_dates: string[]
  is_collection: boolean
  order_products: { product: { qr_url: string; product_type: string } }[]
}

/** The order of a tracking code, or null. The code has 128 random bits, so it cannot be guessed. */
export async function findTrackedOrder(db: Db, code: string, lang: Lang): Promise<TrackedOrder | null> {
  if (!/^[\w-]{16,64}$/.test(code)) return null
  const name = columnIn(lang, 'l.name')
  const { rows } = await sql<
    WithDates<OrderDates & { is_collection: boolean; products: { id: number; name: string; is_unique: boolean }[] }, 'expires_at'>
  >`
    select o.status, o.expires_at, ${IS_IN_REVIEW} as is_in_review, o.deliver_on, o.is_collection, first_delivery_on(o),
      coalesce((select json_agg(json_build_object('id', l.product_id, 'name', ${name}, 'is_unique', p.is_unique) order by l.position)
        from order_lines l join products p on p.id = l.product_id where l.order_id = o.id), '[]') as products
    from orders o where o.tracking_code = ${code}`.execute(db)
  const row = rows[0]
  if (!row) return null
  const products = row.products.map((product) => ({ product: { qr_url: publicCardPath(product), product_type: product.name } }))
  return { status: row.status, delivery_dates: expectedDates(datesToText(row)), is_collection: row.is_collection, order_products: products }
}
