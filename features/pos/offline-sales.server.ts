import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { adjustStock } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { DiscardSaleForm } from './forms.ts'
import { findRecordedSale } from './sale-queries.server.ts'

/** The idempotency key of this cashier's sale. */
export const saleKey = (cashierId: number, key: string) => `pos-${cashierId}:${key}`

interface SoldProduct {
  id: number
  stock: number
  sold: number
  /** Whether staff have counted it since, on its page or by a stock take that is closed. */
  is_counted_since: boolean
}

/**
 * Adjusts the stock for a sale over the counter that was made without network at `madeAt`, with an audit entry. A count since then has left the sold
 * quantity out: it is added, and on an open stock take no longer expected. With `isHandedOver`, stock that is lower is raised to the sold quantity.
 * Runs in the sale's transaction with locked products. Animals and products without stock tracking stay unchanged.
 */
export async function adjustStockForLateSale(
  tx: Db,
  actor: Actor,
  sold: readonly { productId: number; quantityMilli: number }[],
  { madeAt, isHandedOver }: { madeAt: Date; isHandedOver: boolean },
): Promise<void> {
  const lines = JSON.stringify(sold.map(({ productId, quantityMilli }) => ({ id: productId, milli: quantityMilli })))
  const { rows } = await sql<SoldProduct>`
    select p.id, p.stock_milli::bigint as stock, l.milli as sold, exists (
        select 1 from stock_take_lines c join stock_takes t on t.id = c.take_id
        where c.product_id = p.id and c.first_counted_at > ${madeAt} and t.state = 'closed') or exists (
        select 1 from audit_log a where a.subject = 'product' and a.subject_id = p.id::text and a.at > ${madeAt} and a.after ->> 'why' = 'counted')
        as is_counted_since
    from jsonb_to_recordset(${lines}::jsonb) as l(id bigint, milli bigint) join products p on p.id = l.id
    where not p.is_unique and p.visible and p.stock_milli is not null`.execute(tx)
  await expectLessOnOpenTakes(tx, rows, madeAt)
  const raised = rows.flatMap(({ id, stock, sold: milli, is_counted_since }) => {
    const deltaMilli = is_counted_since ? milli : isHandedOver ? Math.max(0, milli - stock) : 0
    return deltaMilli > 0 ? [{ id, from: stock, deltaMilli, reason: 'counted' as const }] : []
  })
  await adjustStock(tx, raised)
  for (const { id, from, deltaMilli } of raised)
    await audit(tx, actor, {
      action: 'changed',
      subject: 'product',
      id,
      before: { stock: from / 1000 },
      after: { stock: (from + deltaMilli) / 1000, why: 'sold without network' },
    })
}

/** Lines of open stock takes that were counted after the sale expect its products no longer. A reason that does not fit the difference falls back. */
async function expectLessOnOpenTakes(tx: Db, products: readonly SoldProduct[], madeAt: Date): Promise<void> {
  const sold = products.filter((product) => !product.is_counted_since).map(({ id, sold: milli }) => ({ id, milli }))
  if (sold.length === 0) return
  await sql`
    update stock_take_lines c set expected_milli = e.expected, version = c.version + 1,
      reason = case when c.reason = 'found' and c.counted_milli > e.expected or c.reason in ('spoiled', 'lost') and c.counted_milli < e.expected
        then c.reason else 'counted' end
    from (select l.take_id, l.product_id, greatest(0, l.expected_milli - s.milli) as expected
      from jsonb_to_recordset(${JSON.stringify(sold)}::jsonb) as s(id bigint, milli bigint)
      join stock_take_lines l on l.product_id = s.id join stock_takes t on t.id = l.take_id
      where l.first_counted_at > ${madeAt} and t.state = 'open') e
    where c.take_id = e.take_id and c.product_id = e.product_id`.execute(tx)
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
