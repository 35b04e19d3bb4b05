import { type Actor, audit } from '#features/audit/audit.server.ts'
import { coverHandedOverProducts } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { DiscardSaleForm } from './forms.ts'
import { findRecordedSale } from './sale-queries.server.ts'

/** The idempotency key of this cashier's sale. */
export const saleKey = (cashierId: number, key: string) => `pos-${cashierId}:${key}`

/**
 * Raises the stock of products that were sold offline and handed over, where the count is lower than the sale, with an audit entry.
 * Runs in the sale's transaction with locked products. Animals and products without stock tracking stay unchanged.
 */
export async function adjustStockForHandedOverProducts(
  tx: Db,
  actor: Actor,
  sold: readonly { productId: number; quantityMilli: number }[],
): Promise<void> {
  for (const { id, from, to } of await coverHandedOverProducts(tx, sold))
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
