import { type Actor, audit } from '#features/audit/audit.server.ts'
import { lockCustomer } from '#features/customers/account-state.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, poisha, poishaToTaka } from '#lib/format/money.ts'

interface LimitChange {
  limit: Poisha
  /** The limit when the form opened. */
  previous: Poisha
}

/** `stale`: another person has set a limit since the form opened. */
export type LimitChanged = { ok: true } | { ok: false; reason: 'missing' | 'stale' }

/** Sets how much a customer may owe, with an audit entry. Runs in a transaction. */
export async function setCreditLimit(tx: Db, actor: Actor, customerId: number, { limit, previous }: LimitChange): Promise<LimitChanged> {
  if (!(await lockCustomer(tx, customerId))) return { ok: false, reason: 'missing' }
  const limits = tx.selectFrom('users').select('credit_limit_poisha as limit').where('id', '=', customerId)
  const before = await limits.executeTakeFirstOrThrow()
  if (before.limit === limit) return { ok: true }
  if (before.limit !== previous) return { ok: false, reason: 'stale' }
  await tx.updateTable('users').set({ credit_limit_poisha: limit }).where('id', '=', customerId).execute()
  await audit(tx, actor, {
    action: 'changed',
    subject: 'customer',
    id: customerId,
    before: { credit_limit: poishaToTaka(poisha(before.limit)) },
    after: { credit_limit: poishaToTaka(limit) },
  })
  return { ok: true }
}
