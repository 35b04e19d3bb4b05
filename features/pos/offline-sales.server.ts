import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { adjustStock } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { DiscardSaleForm } from './forms.ts'
import { findRecordedSale } from './sale-queries.server.ts'

/** The idempotency key of this cashier's sale. */
export const saleKey = (cashierId: number, key: string) => `pos-${cashierId}:${key}`

/**
 * Raises the stock for a sale over the counter that was made without network at `soldAt`, with an audit entry. A stock take that counted a product
 * afterwards and is closed has left the sold quantity out: it is added. With `isHandedOver`, stock that is lower is raised to the sold quantity. Runs in
 * the sale's transaction with locked products. Animals and products without stock tracking stay unchanged.
 */
export async function adjustStockForLateSale(
  tx: Db,
  actor: Actor,
  sold: readonly { productId: number; quantityMilli: number }[],
  { soldAt, isHandedOver }: { soldAt: Date; isHandedOver: boolean },
): Promise<void> {
  const lines = JSON.stringify(sold.map(({ productId, quantityMilli }) => ({ id: productId, milli: quantityMilli })))
  const { rows } = await sql<{ id: number; from: number; to: number }>`
    select id, stock_milli as from, covered as to from (
      select p.id, p.stock_milli::bigint, case when exists (
          select 1 from stock_take_lines c join stock_takes t on t.id = c.take_id
          where c.product_id = p.id and c.first_counted_at > ${soldAt} and t.state = 'closed') then p.stock_milli + l.milli
        when ${isHandedOver} then greatest(p.stock_milli, l.milli) else p.stock_milli end::bigint as covered
      from jsonb_to_recordset(${lines}::jsonb) as l(id bigint, milli bigint) join products p on p.id = l.id
      where not p.is_unique and p.visible) c where covered > stock_milli`.execute(tx)
  await adjustStock(
    tx,
    rows.map(({ id, from, to }) => ({ id, from, deltaMilli: to - from, reason: 'counted' })),
  )
  for (const { id, from, to } of rows)
    await audit(tx, actor, {
      action: 'changed',
      subject: 'product',
      id,
      before: { stock: from / 1000 },
      after: { stock: to / 1000, why: 'sold without network' },
    })
}

/**
 * Records a discarded offline sale with its reason. Where its key has an order, also of another cashier, it returns the order id, and discards
 * what the device has once the cashier names that order.
 */
export function discardOfflineSale(
  db: Db,
  clerk: Actor,
  { key, reason, recorded_order: known, ...sale }: DiscardSaleForm,
): Promise<{ ok: true } | { ok: false; reason: 'sold'; orderId: number }> {
  return inTransaction(db, async (tx) => {
    const sold = await findRecordedSale(tx, { key: { key: saleKey(clerk.id, key), hash: '' } })
    if (sold && sold.orderId !== known) return { ok: false, reason: 'sold', orderId: sold.orderId } as const
    const after = { reason, ...(sold ? { order: sold.orderId } : {}) }
    await audit(tx, clerk, { action: 'deleted', subject: 'unsent-sale', id: key, before: sale, after })
    return { ok: true } as const
  })
}
