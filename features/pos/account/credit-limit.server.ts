import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, poisha, poishaToTaka } from '#lib/format/money.ts'

/** Sets how much a customer may owe, with an audit entry. Runs in a transaction. False when there is no such customer. */
export async function setCreditLimit(tx: Db, actor: Actor, customerId: number, limit: Poisha): Promise<boolean> {
  const customers = tx.selectFrom('users').select('credit_limit_poisha as limit').where('id', '=', customerId)
  const before = await customers.where('role', '=', 'customer').where('merged_into', 'is', null).forUpdate().executeTakeFirst()
  if (!before) return false
  if (before.limit === limit) return true
  await tx.updateTable('users').set({ credit_limit_poisha: limit }).where('id', '=', customerId).execute()
  await audit(tx, actor, {
    action: 'changed',
    subject: 'customer',
    id: customerId,
    before: { credit_limit: poishaToTaka(poisha(before.limit)) },
    after: { credit_limit: poishaToTaka(limit) },
  })
  return true
}
