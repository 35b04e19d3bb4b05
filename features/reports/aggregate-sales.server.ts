import { sql } from 'kysely'
import { IS_HANDED_OVER, IS_LIVE } from '#features/orders/status-conditions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { dhakaDay } from '#lib/db/dhaka-day.server.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'

/** Transactions may commit this much later than the timestamp of their rows. Younger events are read again by the next run. */
const LATEST_COMMIT_MS = 60_000
/** Maximum days that one statement aggregates. */
const MAX_DAYS_PER_STATEMENT = 31

/**
 * Updates the daily totals of all days with orders that have new events. The progress row is locked with `skip locked`, so that one of
 * several processes runs it.
 */
export async function aggregateSales(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const progress = await tx
      .selectFrom('sales_progress')
      .select('next_event')
      .where('id', '=', 1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!progress) return
    const from = progress.next_event
    const next = await nextEvent(tx, from, now)
    for (const days of await changedDays(tx, from)) await aggregateDays(tx, days)
    await tx.updateTable('sales_progress').set({ next_event: next, refreshed_at: now }).execute()
  })
}

/**
 * The event from which the next run reads: the one after the last that is older than a minute. An event that is not committed yet may have a
 * lower id than the first visible one of the last minute. The clocks of shop and database may differ by a minute; a later time, by a clock that
 * was set back, counts as old.
 */
async function nextEvent(tx: Db, from: number, now: Date): Promise<number> {
  const [earliest, latest] = [-1, 1].map((sign) => new Date(now.getTime() + sign * LATEST_COMMIT_MS))
  const recent = sql`at between ${earliest} and ${latest}`
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(id) + 1, ${from}::bigint) as next from order_events where id >= ${from} and not (${recent})`.execute(tx)
  return rows[0]?.next ?? 0
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
    select ${day}, p.category_id, count(distinct o.id), sum(l.line_total_poisha - (select coalesce(sum(b.goods_poisha), 0)
      from pos_returns r join pos_return_lines b on b.return_id = r.id where r.order_id = o.id and b.product_id = l.product_id)
      -- A settlement entry below zero makes the animal dearer.
      - (select coalesce(sum(e.amount_poisha), 0) from settlements s join ledger_entries e on e.id = s.ledger_entry_id
        where s.order_id = o.id and s.product_id = l.product_id))
    from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
    where ${span} and ${IS_LIVE} group by 1, 2`.execute(tx)
}
