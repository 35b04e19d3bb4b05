import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { FLAG_LEFT } from '#features/ledger/attention.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { lockOrder } from '../order-locks.server.ts'
import type { AdminDeps } from '../order-deps.ts'

/** Clears the attention flag of an order; another one beneath it shows. Of two concurrent calls the second changes nothing. */
export async function clearAttention(deps: AdminDeps, orderId: number, clerk: Actor): Promise<'done' | 'not-found'> {
  return inTransaction(deps.db, async (tx) => {
    if (!(await lockOrder(tx, orderId))) return 'not-found'
    const { needs_attention: flag } = await tx
      .selectFrom('orders')
      .select('needs_attention')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    if (!flag) return 'done'
    // Before the flag that is left is found: the event settles the cleared one.
    await addOrderEvent(tx, orderId, clerk, deps.now(), { kind: 'attention-cleared', detail: { flag } })
    const { rows } = await sql<{ left: string | null }>`
      update orders o set needs_attention = ${FLAG_LEFT}, version = version + 1, updated_at = ${deps.now()}
      where id = ${orderId} returning needs_attention as left`.execute(tx)
    await audit(tx, clerk, {
      action: 'changed',
      subject: 'order',
      id: orderId,
      before: { needs_attention: flag },
      after: { needs_attention: rows[0]?.left ?? null },
    })
    return 'done'
  })
}
