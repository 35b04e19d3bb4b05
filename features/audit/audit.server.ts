import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** Who did it, and from where. */
export interface Actor {
  id: number
  ip: string
}

/** Verbs of the log; the screen has a word for each. */
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
  | 'settled'
  | 'merged'
  | 'noted'
  | 'disabled'
  | 'enabled'
  | 'signed-out'
  | 'printed'
  | 'approved'

export interface AuditEntry {
  action: AuditAction
  /** What it was done to: `order`, `product`, `area`, … in the singular. */
  subject: string
  id: number | string
  /** The fields as they were and as they are; what is the same in both is left out. Never passwords or keys. */
  before?: object | null
  after?: object | null
}

/** Writes down what a person of the staff did, in the transaction that does it: both happen, or neither. */
export async function audit(tx: Db, who: Actor, entry: AuditEntry): Promise<void> {
  await auditAll(tx, who, [entry])
}

/** The same for many things at once, in their order. */
export async function auditAll(tx: Db, who: Actor, entries: readonly AuditEntry[]): Promise<void> {
  if (!tx.isTransaction) throw new Error('audit outside of the transaction that it tells of')
  const rows = entries.map(({ action, subject, id, ...entry }) => ({
    action,
    subject,
    id: String(id),
    ...differences(entry.before ?? null, entry.after ?? null),
  }))
  await sql`insert into audit_log (actor_id, action, subject, subject_id, before, after, ip)
    select ${who.id}, row ->> 'action', row ->> 'subject', row ->> 'id', nullif(row -> 'before', 'null'), nullif(row -> 'after', 'null'), ${who.ip}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as t(row, place) order by place`.execute(tx)
}

/** Of two states, what differs. */
export function differences(before: object | null, after: object | null): { before: object | null; after: object | null } {
  if (before === null || after === null) return { before, after }
  const [old, fresh] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]),
  )
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.filter((key) => key in from).map((key) => [key, from[key]]))
  return { before: pick(old), after: pick(fresh) }
}
