import { sql } from 'kysely'
import { WEIGHED_POISHA } from '#features/orders/returns/sold-order.server.ts'
import { IS_HANDED_OVER, IS_LIVE } from '#features/orders/status-conditions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { dhakaDay } from '#lib/db/dhaka-day.server.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'

/** Maximum days that one statement aggregates. */
const MAX_DAYS_PER_STATEMENT = 31

/**
 * Updates the daily totals of all days with orders that have new events. The progress row is locked with `skip locked`, so that one of
 * several processes runs it.
 */
export async function aggregateSales(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const last = await lastSeen(tx)
    const progress = await tx
      .selectFrom('sales_progress')
      .select(['next_event', 'seen_event', 'seen_xid'])
      .where('id', '=', 1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!progress) return
    const from = progress.next_event
    const next = await nextProgress(tx, progress, last)
    for (const days of await changedDays(tx, from)) await aggregateDays(tx, days)
    await tx
      .updateTable('sales_progress')
      .set({ ...next, refreshed_at: now })
      .execute()
  })
}

/** The event after the last visible one. Read before this transaction has an id: the transactions of all earlier events have lower ids. */
async function lastSeen(tx: Db): Promise<number> {
  const progress = await tx.selectFrom('sales_progress').select('next_event').where('id', '=', 1).executeTakeFirst()
  const from = progress?.next_event ?? 0
  // As a value: of a column PostgreSQL expects a third of all events, and reads another index from end to end.
  const { rows } = await sql<{ last: number | null }>`select max(id) + 1 as last from order_events where id >= ${from}`.execute(tx)
  return rows[0]?.last ?? from
}

/** `seen_event`: the event after the last one that a run saw. Transactions with ids below `seen_xid` may have been open then. */
interface Progress {
  next_event: number
  seen_event: number | null
  seen_xid: number | null
}

/**
 * The progress after this run. A transaction that is open may commit events with lower ids than those that are visible, however late. So a later
 * run reads from `seen_event` once every transaction that may have been open has ended. The ids of a restored database may belong to another
 * server: those that are still ahead count as ended.
 */
async function nextProgress(tx: Db, { next_event: from, seen_event, seen_xid }: Progress, last: number): Promise<Progress> {
  const { rows } = await sql<{ oldest: number; own: number }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest, pg_current_xact_id()::text::bigint as own`.execute(tx)
  const { oldest, own } = rows[0]!
  const seen = { seen_event: Math.max(last, from), seen_xid: own }
  // No other transaction that began earlier is open.
  if (oldest === own) return { next_event: seen.seen_event, seen_event: null, seen_xid: null }
  if (seen_event === null || seen_xid === null) return { next_event: from, ...seen }
  const haveEnded = oldest >= seen_xid || seen_xid > own
  return haveEnded ? { next_event: seen_event, ...seen } : { next_event: from, seen_event, seen_xid }
}

/** The days whose orders have new events, as ranges of at most a month: [first day, day after the last). */
async function changedDays(tx: Db, from: number): Promise<[string, string][]> {
  const { rows } = await sql<{ day: string }>`
    select distinct ${dhakaDay(sql`o.placed_at`)}::text as day
    from orders o where ${from === 0 ? sql`true` : sql`o.id in (select order_id from order_events where id >= ${from})`} order by day`.execute(
    tx,
  )
  const ranges: [string, string][] = []
  for (const { day } of rows) {
    const last = ranges.at(-1)
    if (last && last[1] === day && addDays(last[0], MAX_DAYS_PER_STATEMENT) > day) last[1] = addDays(day, 1)
    else ranges.push([day, addDays(day, 1)])
  }
  return ranges
}

/** Computes the totals of a range of days from current amounts: after settlements and refunds. */
async function aggregateDays(tx: Db, [from, before]: [string, string]): Promise<void> {
  const span = sql`o.placed_at >= ${dhakaInstant(from)} and o.placed_at < ${dhakaInstant(before)}`
  const day = dhakaDay(sql`o.placed_at`)
  await tx.deleteFrom('sales_days').where('day', '>=', from).where('day', '<', before).execute()
  await tx.deleteFrom('sales_day_categories').where('day', '>=', from).where('day', '<', before).execute()
  await sql`
    insert into sales_days (day, area_id, source, orders, total_poisha, discount_poisha, shipping_poisha, done_orders, done_poisha, lost_orders, lost_poisha)
    select ${day}, coalesce(o.area_id, 0), o.source,
      count(*) filter (where live), coalesce(sum(o.spent_poisha) filter (where live), 0), coalesce(sum(o.discount_poisha) filter (where live), 0),
      coalesce(sum(o.shipping_poisha) filter (where live), 0), count(*) filter (where done), coalesce(sum(o.spent_poisha) filter (where done), 0),
      count(*) filter (where not live), coalesce(sum(o.total_poisha) filter (where not live), 0)
    from orders o cross join lateral (select ${IS_LIVE} as live, ${IS_HANDED_OVER} as done) s
    where ${span} group by 1, 2, 3`.execute(tx)
  await sql`
    insert into sales_day_categories (day, category_id, orders, total_poisha)
    select ${day}, category_at(p, o.placed_at), count(distinct o.id), sum(l.line_total_poisha - (select coalesce(sum(b.goods_poisha), 0)
      from pos_returns r join pos_return_lines b on b.return_id = r.id where r.order_id = o.id and b.product_id = l.product_id) + ${WEIGHED_POISHA})
    from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
    where ${span} and ${IS_LIVE} group by 1, 2`.execute(tx)
}
