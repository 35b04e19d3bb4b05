import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { readLoggedFilter } from './logged-filter.ts'
import { type AuditNames, kindOfField, kindOfSubject, NAMED_KINDS, type NamedKind } from './name-rules.ts'
import type { AuditRow } from './queries.server.ts'

/** What of an entry refers to records. */
type AuditedFields = Pick<AuditRow, 'subject' | 'subject_id' | 'before' | 'after'>

/** Loads the names of all records that the entries refer to, in one query. */
export async function nameAuditedRecords(db: Db, rows: readonly AuditedFields[], lang: Lang): Promise<AuditNames> {
  const ids = new Map<NamedKind, Set<number>>(NAMED_KINDS.map((kind) => [kind, new Set()]))
  const add = (kind: NamedKind | null | undefined, id: unknown) => {
    const number = typeof id === 'number' || (typeof id === 'string' && /^\d{1,15}$/.test(id)) ? Number(id) : null
    if (kind && number !== null && Number.isSafeInteger(number)) ids.get(kind)!.add(number)
  }
  const read = (fields: object, subject: string) => {
    for (const [field, value] of Object.entries(fields)) {
      const kind = kindOfField(subject, field)
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item === 'object' && item !== null) read(item, subject)
        else if (field === 'lines') add('product', String(item).split(':')[0])
        else if (field === 'filter') read(Object.fromEntries(readLoggedFilter(String(item))), subject)
        else add(kind, item)
      }
    }
  }
  for (const { subject, subject_id, before, after } of rows) {
    add(kindOfSubject(subject), subject_id.split(' ')[0])
    read(before ?? {}, subject)
    read(after ?? {}, subject)
  }
  const of = (kind: NamedKind) => sql`any(${[...ids.get(kind)!]}::bigint[])`
  const name = columnIn(lang, 'name')
  const { rows: found } = await sql<{ kind: NamedKind; id: number; name: string }>`
    select 'product' as kind, id, concat_ws(' · ', ${name}, tag_number) as name from products where id = ${of('product')}
    union all select 'category', id, ${name} from categories where id = ${of('category')}
    union all select 'area', id, ${name} from areas where id = ${of('area')}
    union all select 'slot', id, ${name} from slots where id = ${of('slot')}
    union all select 'coupon', id, code::text from coupons where id = ${of('coupon')}
    union all select 'user', id, name from users where id = ${of('user')}`.execute(db)
  return Object.fromEntries(found.map((record) => [`${record.kind} ${record.id}`, record.name]))
}
