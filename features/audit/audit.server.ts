import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** A member of staff who acts: the author of audit entries and, as an `OrderActor`, of order events. */
export interface Actor {
  kind: 'staff'
  /** The user. */
  id: number
  /** The network address of the request. */
  ip: string
}

/** Actions of the audit log. `site/admin/audit` holds their labels. */
export type AuditAction =
  | 'created'
  | 'changed'
  | 'deleted'
  | 'archived'
  | 'restored'
  | 'copied'
  | 'imported'
  | 'exported'
  | 'reordered'
  | 'verified'
  | 'refused'
  | 'reported'
  | 'paid'
  | 'refunded'
  | 'sent'
  | 'weighed'
  | 'weigh-in-deleted'
  | 'settled'
  | 'merged'
  | 'noted'
  | 'disabled'
  | 'enabled'
  | 'signed-out'
  | 'switched'
  | 'printed'
  | 'approved'
  | 'matched'
  | 'unmatched'
  | 'reconciled'
  | 'reopened'
  | 'closed'
  | 'cancelled'

export interface AuditEntry {
  action: AuditAction
  /** The kind of the changed record, in the singular: `order`, `product`, `area`, … */
  subject: string
  id: number | string
  /** The fields before and after. Equal fields are dropped. Never passwords or keys. */
  before?: object | null
  after?: object | null
}

/** Adds an entry to the audit log, in the transaction of the change; a null actor is the system. Throws outside a transaction. */
export async function audit(tx: Db, actor: Actor | null, entry: AuditEntry): Promise<void> {
  await auditAll(tx, actor, [entry])
}

/** Adds several entries in one statement; their ids follow the order of the list. A change that changed nothing gets none. */
export async function auditAll(tx: Db, actor: Actor | null, entries: readonly AuditEntry[]): Promise<void> {
  if (!tx.isTransaction) throw new Error('audit needs the transaction of the change')
  const rows = entries
    .map(({ action, subject, id, ...entry }) => ({
      action,
      subject,
      id: String(id),
      ...differences(entry.before ?? null, entry.after ?? null),
    }))
    .filter(({ action, before, after }) => action !== 'changed' || !isEmpty(before) || !isEmpty(after))
  if (rows.length === 0) return
  await sql`insert into audit_log (actor_id, action, subject, subject_id, before, after, ip)
    select ${actor?.id ?? null}::bigint, row ->> 'action', row ->> 'subject', row ->> 'id', nullif(row -> 'before', 'null'), nullif(row -> 'after', 'null'), ${actor?.ip ?? ''}::text
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as t(row, position) order by position`.execute(tx)
}

/** Each save counts the version of the record up. */
const isEmpty = (fields: object | null) => fields !== null && Object.keys(fields).every((field) => field === 'version')

/** Drops the fields that are equal in both states. A created or deleted record keeps all its fields. */
export function differences(before: object | null, after: object | null): { before: object | null; after: object | null } {
  if (before === null || after === null) return { before, after }
  const [oldFields, newFields] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const changed = [...new Set([...Object.keys(oldFields), ...Object.keys(newFields)])].filter(
    (key) => JSON.stringify(oldFields[key]) !== JSON.stringify(newFields[key]),
  )
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.filter((key) => key in from).map((key) => [key, from[key]]))
  return { before: pick(oldFields), after: pick(newFields) }
}
