import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, type LogView } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { dhakaInstant, addDays } from '#lib/format/time.ts'
import { AUDIT_SUBJECTS } from './subjects.ts'

export interface AuditRow {
  id: number
  at: string
  actor: { id: number; name: string; role: string } | null
  action: string
  subject: string
  subject_id: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  ip: string
}

export interface AuditFilter {
  subject?: string | undefined
  subjectId?: string | undefined
  actorId?: number | undefined
  /** Dhaka days, both included. */
  from?: string | undefined
  to?: string | undefined
  /** Subjects that the person may not read of. */
  hidden: readonly string[]
}

export const AUDIT_PAGE = 50

/** What was done, newest first unless the view says otherwise, a page by key. */
export async function listAudit(db: Db, filter: AuditFilter, view: LogView): Promise<KeysetPage<AuditRow>> {
  const { size = AUDIT_PAGE } = view
  const { beyond, direction } = numericCursor(sql`a.id`, view)
  const { subject, subjectId, actorId, hidden } = filter
  const conditions = [
    sql`a.subject <> all(${[...hidden]}::text[])`,
    ...(subject ? [sql`a.subject = ${subject}`] : []),
    // All subjects by name: the index begins with the subject.
    ...(subjectId && !subject ? [sql`a.subject = any(${AUDIT_SUBJECTS}::text[])`] : []),
    ...(subjectId ? [sql`a.subject_id = ${subjectId}`] : []),
    ...(actorId === undefined ? [] : [sql`a.actor_id = ${actorId}`]),
    ...(filter.from
      ? [sql`a.id >= coalesce((select id from audit_log where at >= ${dhakaInstant(filter.from)} order by at, id limit 1), 9e18::bigint)`]
      : []),
    ...(filter.to
      ? [
          sql`a.id < coalesce((select id from audit_log where at >= ${dhakaInstant(addDays(filter.to, 1))} order by at, id limit 1), 9e18::bigint)`,
        ]
      : []),
    beyond,
  ]
  const { rows } = await sql<WithDates<AuditRow, 'at'>>`
    select a.id, a.at, case when u.id is null then null else json_build_object('id', u.id, 'name', u.name, 'role', u.role) end as actor,
      a.action, a.subject, a.subject_id, a.before, a.after, a.ip
    from audit_log a left join users u on u.id = a.actor_id
    where ${sql.join(conditions, sql` and `)} order by a.id ${direction} limit ${size + 1}`.execute(db)
  return keysetPage(rows.map(datesToText), view, size, (row) => [row.id])
}

/** All staff, disabled accounts included, for the filter. */
export function listActors(db: Db): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('role', 'not in', ['customer', 'walk-in'])
    .orderBy('name')
    .orderBy('id')
    .execute()
}
