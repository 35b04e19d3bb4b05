import { sql } from 'kysely'
import type { Actor } from '#features/audit/audit.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { LockedOrder } from '../order-locks.server.ts'
import { isHandedOver, type OrderStatus } from '../rules.ts'
import { cashKind } from './ledger-rules.ts'
import { moveOrderCash, type OrderCash } from './order-drawer.server.ts'
import { writeEntry } from './record-payment.server.ts'

/** `not-delivered`: the change does not deliver the order. `too-much`: above the amount due. */
export type CashOnDeliveryError = 'not-delivered' | 'too-much'

/** The reason why cash on delivery cannot be recorded with this change; null when it can. `total`: the new total; null if unchanged. */
export async function cashOnDeliveryError(
  tx: Db,
  orderId: number,
  { amount, to, total }: { amount: Poisha; to: OrderStatus | null; total: Poisha | null },
): Promise<CashOnDeliveryError | null> {
  if (amount <= 0) return null
  if (to === null || !isHandedOver(to)) return 'not-delivered'
  const { rows } = await sql<{ due: Poisha }>`
    select amount_due(o) + coalesce(${total}::bigint - o.total_poisha, 0) as due from orders o where o.id = ${orderId}`.execute(tx)
  return amount > (rows[0]?.due ?? 0) ? 'too-much' : null
}

/** Records cash on delivery as a ledger entry, in the transaction that delivers the order. */
export async function recordCashOnDelivery(tx: Db, order: LockedOrder, cash: OrderCash, clerk: Actor, now: Date): Promise<void> {
  const { amount } = cash
  if (amount <= 0) return
  const entry = { kind: cashKind(order), amount, method: 'cash', reference: null, event: 'payment-recorded', action: 'paid' } as const
  await writeEntry(tx, order, entry, clerk, now)
  await moveOrderCash(tx, order.id, cash, clerk, now)
}
