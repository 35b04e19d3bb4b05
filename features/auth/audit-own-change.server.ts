import { audit } from '#features/audit/audit.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { isStaff } from './permissions.ts'
import type { Role } from './sessions.server.ts'

/** Adds a change of the own account to the audit log, which holds the changes of staff alone. `ip`: the address of the request. */
export async function auditOwnChange(
  tx: Db,
  { id, role, ip }: { id: number; role: Role; ip: string },
  before: object | null,
  after: object,
): Promise<void> {
  if (!isStaff(role)) return
  await audit(tx, { kind: 'staff', id, ip }, { action: 'changed', subject: 'staff', id, before, after })
}
