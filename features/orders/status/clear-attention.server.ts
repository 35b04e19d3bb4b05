import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { FLAG_LEFT } from '#features/ledger/attention.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { lockOrder } from '../order-locks.server.ts'
import type { AdminDeps } from '../order-deps.ts'

/** Clears the attention flag of an order; a failed refund beneath it shows its own. Of two concurrent calls the second changes nothing. */
export async function clearAttention(deps: AdminDeps, orderId: number, clerk: Actor): Promise<'done' | 'not-found'> {
  return inTransaction(deps.db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return 'not-found'
    const { rows } = await sql<{ flag: string | null; left: string | null }>`
      with old as (select needs_attention as flag from orders where id = ${orderId})
      update orders o set needs_attention = case when o.needs_attention <> 'refund-failed' then ${FLAG_LEFT} end, version = version + 1,
        updated_at = ${deps.now()} from old
      where id = ${orderId} and needs_attention is not null returning old.flag, o.needs_attention as left`.execute(tx)
    const { flag, left } = rows[0] ?? {}
    if (!flag) return 'done'
    await addOrderEvent(tx, orderId, clerk, deps.now(), { kind: 'attention-cleared', detail: { flag } })
    await audit(tx, clerk, {
      action: 'changed',
      subject: 'order',
      id: orderId,
      before: { needs_attention: flag },
      after: { needs_attention: left ?? null },
    })
    return 'done'
  })
}
