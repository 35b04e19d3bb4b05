import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { comesOn, kurbaniAfter, lateOn, IS_EXPECTED } from '../delivery-dates.server.ts'
import { isLive } from '../rules.ts'
import { IS_REFUND_DUE, OWES } from '../status-conditions.server.ts'
import type { OrderFilter, OrderSearch } from './list-query-rules.ts'

// The filters of the order list as SQL.

export type Condition = RawBuilder<unknown>

/** Orders that a search by ear tag finds at most. */
const MAX_TAGGED = 1000

/** In the words of partial indexes. */
const DUE_CONDITIONS: Record<'yes' | 'refund', Condition> = {
  yes: OWES,
  refund: IS_REFUND_DUE,
}

/** The condition of a filter; empty while the filter is not set. */
function where<Value>(value: Value | null | undefined | false, condition: (value: Value) => Condition): Condition[] {
  return value === null || value === undefined || value === false ? [] : [condition(value)]
}

/** A filter as conditions on `o`, and the names of its search. */
export interface OrderQuery {
  conditions: Condition[]
  names: string[] | null
}

/** The filters as conditions, and the names of the search; null when no order can match. */
export async function conditionsOf(db: Db, filter: OrderFilter): Promise<OrderQuery | null> {
  if (filter.due === 'yes' && filter.status && !isLive(filter.status)) return null
  const found = filter.search && (await searchCondition(db, filter.search))
  if (filter.search && !found) return null
  const conditions = [
    sql`true`,
    ...where(found?.condition, (condition) => condition),
    ...where(filter.status, (status) => sql`o.status = ${status}`),
    // Links and saved filters may name a customer who was merged since.
    ...where(filter.userId, (id) => sql`o.customer_id = (select coalesce(merged_into, id) from users where id = ${id})`),
    ...where(filter.areaId, (id) => sql`o.area_id = ${id}`),
    ...where(filter.source, (source) => sql`o.source = ${source}`),
    ...where(filter.listOn, comesOn),
    ...where(filter.open, () => IS_EXPECTED),
    ...where(filter.lateOn, lateOn),
    ...where(filter.kurbaniAfter, kurbaniAfter),
    ...where(filter.from, (day) => sql`o.placed_at >= ${dhakaInstant(day)}`),
    ...where(filter.to, (day) => sql`o.placed_at < ${dhakaInstant(addDays(day, 1))}`),
    ...where(filter.due, (due) => DUE_CONDITIONS[due]),
    ...where(filter.tag, (tag) => sql`exists (select 1 from order_tags g where g.order_id = o.id and g.tag = ${tag})`),
    ...where(filter.attention, () => sql`o.needs_attention is not null`),
  ]
  return { conditions, names: found?.names ?? null }
}

/** All orders of a filter as one condition on `o`; null when no order can match. */
export async function matchingOrders(db: Db, filter: OrderFilter): Promise<Condition | null> {
  const query = await conditionsOf(db, filter)
  if (query === null) return null
  const names = query.names?.map((name) => `${name}:*`).join(' & ')
  return sql.join([...query.conditions, ...(names ? [sql`o.name_phonetic_tsv @@ ${names}::tsquery`] : [])], sql` and `)
}

/** The condition or the names of a search; null when nothing can match. Tags come first, because they match exactly. */
async function searchCondition(db: Db, search: OrderSearch): Promise<{ condition?: Condition; names?: string[] } | null> {
  if (search.by === 'phone') return { condition: sql`o.phone between ${search.from} and ${search.to}` }
  const tagged = search.tags.length === 0 ? [] : await ordersWithTags(db, search.tags)
  if (search.by === 'number') return { condition: sql`o.id = any(${[search.id, ...tagged]}::bigint[])` }
  if (tagged.length > 0) return { condition: sql`o.id = any(${tagged}::bigint[])` }
  const { rows } = await sql<{ sounds: string }>`select phonetic_key(${search.text}) as sounds`.execute(db)
  // A single letter matches too many names, a digit none.
  const words = rows[0]?.sounds.split(' ').filter((word) => word.length > 1 && !/\d/.test(word)) ?? []
  return words.length === 0 ? null : { names: words }
}

async function ordersWithTags(db: Db, tags: readonly string[]): Promise<number[]> {
  const lines = await db.selectFrom('order_lines').select('order_id').where('tag_number', 'in', tags).limit(MAX_TAGGED).execute()
  return lines.map((line) => line.order_id)
}
