import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { findOrderByIdempotencyKey } from '#features/orders/editing/insert-order.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { DiscardSaleForm } from './forms.ts'

/** How a sale of this cashier is known to the shop. */
export const saleKey = (cashierId: number, key: string) => `pos-${cashierId}:${key}`

/**
 * Goods that were sold without network have left the shelf, whatever the count says: what it lacks is counted in, in the sale's own
 * transaction, and written down with who said so. Products are locked already. Animals and what is not counted stay as they are.
 */
export async function adjustStockForHandedOverProducts(
  tx: Db,
  who: Actor,
  sold: readonly { productId: number; quantityMilli: number }[],
): Promise<void> {
  const lines = JSON.stringify(sold.map(({ productId, quantityMilli }) => ({ id: productId, milli: quantityMilli })))
  const { rows } = await sql<{ id: number; was: number; now: number }>`
    with short as (
      select p.id, p.stock_milli as was, l.milli as now from jsonb_to_recordset(${lines}::jsonb) as l(id bigint, milli bigint)
      join products p on p.id = l.id where not p.is_unique and p.visible and p.stock_milli < l.milli),
    moved as (insert into stock_movements (product_id, delta_milli, reason) select id, now - was, 'counted' from short)
    update products p set stock_milli = s.now, status = case p.status when 'out-of-stock' then 'in-stock' else p.status end
    from short s where s.id = p.id returning p.id, s.was::bigint as was, s.now as now`.execute(tx)
  for (const { id, was, now } of rows)
    await audit(tx, who, {
      action: 'changed',
      subject: 'product',
      id,
      before: { stock: was / 1000 },
      after: { stock: now / 1000, why: 'sold without network' },
    })
}

/** Writes down that a sale which never reached the shop is given up, and why. One that did reach it is said by its order's number. */
export function discardOfflineSale(
  db: Db,
  clerk: Actor,
  { key, reason, ...sale }: DiscardSaleForm,
): Promise<{ ok: true } | { ok: false; reason: 'sold'; orderId: number }> {
  return inTransaction(db, async (tx) => {
    const name = saleKey(clerk.id, key)
    await findOrderByIdempotencyKey(tx, { key: name, hash: '' })
    const { rows } = await sql<{ id: number }>`select id from orders where idempotency_key = ${name}`.execute(tx)
    if (rows[0]) return { ok: false, reason: 'sold', orderId: rows[0].id } as const
    await audit(tx, clerk, { action: 'deleted', subject: 'unsent-sale', id: key, before: sale, after: { reason } })
    return { ok: true } as const
  })
}
