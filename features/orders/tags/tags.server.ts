import { sql } from 'kysely'
import { type Actor, auditAll } from '#features/audit/audit.server.ts'
import { addOrderEvents } from '#features/audit/order-events.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { MAX_ORDER_TAGS } from './tag-rules.ts'

/** The tags of an order after a change; not `ok`: it would have too many, and keeps those that it had. */
export interface TaggedOrder {
  id: number
  ok: boolean
  tags: string[]
}

export interface TagDeps {
  db: Db
  now: () => Date
}

/** Used tags that are suggested, the most used first. */
const MAX_SUGGESTED = 100

/** Adds and removes tags of several orders. Orders that do not exist are left out of the result. */
export function changeTags(
  deps: TagDeps,
  actor: Actor,
  { orders, add, remove }: { orders: readonly number[]; add: readonly string[]; remove: readonly string[] },
): Promise<TaggedOrder[]> {
  return inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from orders where id = any(${orders}::bigint[]) order by id for no key update`.execute(tx)
    const before = await tagsOf(
      tx,
      rows.map(({ id }) => id),
    )
    const results = rows.map(({ id }): TaggedOrder & { before: string[] } => {
      const had = before.get(id) ?? []
      const tags = [...new Set([...had.filter((tag) => !remove.includes(tag)), ...add])].toSorted()
      return tags.length > MAX_ORDER_TAGS ? { id, ok: false, tags: had, before: had } : { id, ok: true, tags, before: had }
    })
    const changed = results.filter(({ tags, before: had }) => tags.join('\n') !== had.join('\n'))
    if (changed.length > 0) await write(tx, actor, deps.now(), changed)
    return results.map(({ id, ok, tags }) => ({ id, ok, tags }))
  })
}

async function write(tx: Db, actor: Actor, now: Date, changed: readonly (TaggedOrder & { before: string[] })[]): Promise<void> {
  const rows = JSON.stringify(changed.map(({ id, tags }) => ({ id, tags })))
  await sql`delete from order_tags t using jsonb_to_recordset(${rows}::jsonb) as n(id bigint, tags jsonb)
    where t.order_id = n.id and not n.tags ? t.tag`.execute(tx)
  await sql`insert into order_tags (order_id, tag) select n.id, x.tag from jsonb_to_recordset(${rows}::jsonb) as n(id bigint, tags jsonb),
    jsonb_array_elements_text(n.tags) as x(tag) on conflict do nothing`.execute(tx)
  const events = changed.map(({ id, tags, before }) => ({ orderId: id, kind: 'tags', detail: { text: changeText(before, tags) } }))
  await addOrderEvents(tx, actor, now, events)
  await auditAll(
    tx,
    actor,
    changed.map(({ id, tags, before }) => ({ action: 'changed', subject: 'order', id, before: { tags: before }, after: { tags } })),
  )
}

/** The change for the timeline: `+ vip, − later`. */
function changeText(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((tag) => !before.includes(tag)).map((tag) => `+ ${tag}`)
  const removed = before.filter((tag) => !after.includes(tag)).map((tag) => `− ${tag}`)
  return [...added, ...removed].join(', ')
}

async function tagsOf(db: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; tags: string[] }>`
    select order_id as id, array_agg(tag order by tag collate "C") as tags from order_tags where order_id = any(${ids}::bigint[]) group by 1`.execute(
    db,
  )
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}

/** The uses of a tag are counted up to this number: what is used more often is common enough. */
const MAX_COUNTED_USES = 1000

/** The tags in use, the most used first. Each is looked up after the one before, so that the orders of a tag are not all read. */
export async function listUsedTags(db: Db): Promise<string[]> {
  const uses = sql`(select count(*) from (select 1 from order_tags g where g.tag = t.tag limit ${MAX_COUNTED_USES}) u)`
  const { rows } = await sql<{ tag: string }>`
    with recursive tags as (
      (select tag from order_tags order by tag limit 1)
      union all
      select (select g.tag from order_tags g where g.tag > t.tag order by g.tag limit 1) from tags t where t.tag is not null)
    select t.tag from tags t where t.tag is not null order by ${uses} desc, t.tag limit ${MAX_SUGGESTED}`.execute(db)
  return rows.map(({ tag }) => tag)
}
