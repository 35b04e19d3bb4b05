import { sql } from 'kysely'
import { publicCardPath } from '#features/catalog/product-rows.server.ts'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import type { OrderStatus } from './rules.ts'

/** What the QR code of an invoice shows to anybody: the goods and how far they are, nothing of the buyer. */
export interface TrackedOrder {
  status: OrderStatus
  /** The expected delivery day; null for an order that ended or whose payment has not come. */
  deliver_on: string | null
  order_products: { product: { qr_url: string; product_type: string } }[]
}

/** The order behind a tracking code, or null. The code is a secret of 128 bits: it cannot be found by counting. */
export async function findTrackedOrder(db: Db, code: string, lang: Lang): Promise<TrackedOrder | null> {
  if (!/^[\w-]{16,64}$/.test(code)) return null
  const name = lang === 'bn' ? sql`l.name_bn` : sql`l.name_en`
  const { rows } = await sql<{
    status: OrderStatus
    deliver_on: string | null
    goods: { id: number; name: string; is_unique: boolean }[]
  }>`
    select o.status,
      case when o.status not in ('cancelled', 'returned') and not (o.status = 'placed' and o.expires_at is not null) then o.deliver_on end as deliver_on,
      coalesce((select json_agg(json_build_object('id', l.product_id, 'name', ${name}, 'is_unique', p.is_unique) order by l.position)
        from order_lines l join products p on p.id = l.product_id where l.order_id = o.id), '[]') as goods
    from orders o where o.tracking_code = ${code}`.execute(db)
  const row = rows[0]
  if (!row) return null
  const { status, deliver_on, goods } = row
  return { status, deliver_on, order_products: goods.map((one) => ({ product: { qr_url: publicCardPath(one), product_type: one.name } })) }
}
