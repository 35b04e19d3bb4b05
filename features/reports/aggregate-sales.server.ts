import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'

/** A transaction may commit so much later than the time that its rows bear; what is younger is read once more next time. */
const LATEST_COMMIT_MS = 60_000
/** So many days are added up in one statement. */
const DAYS_AT_ONCE = 31

/**
 * Brings the sums of the days up to what the histories of orders say has changed: every day on which an order was placed
 * that has had an event since. Several processes at once do no harm: one works, the others leave it.
 */
export async function aggregateSales(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ next_event: number }>`select next_event from sales_progress where id = 1 for update skip locked`.execute(
      tx,
    )
    const from = rows[0]?.next_event
    if (from === undefined) return
    const next = await nextEvent(tx, from, now)
    for (const days of await changedDays(tx, from)) await aggregateDays(tx, days)
    await sql`update sales_progress set next_event = ${next}, refreshed_at = ${now}`.execute(tx)
  })
}

/** The first event that may still be joined by one before it: so many seconds back, or the end. */
async function nextEvent(tx: Db, from: number, now: Date): Promise<number> {
  const { rows } = await sql<{ next: number }>`select coalesce(
    (select min(id) from order_events where id >= ${from} and at > ${new Date(now.getTime() - LATEST_COMMIT_MS)} and at <= ${now}),
    (select max(id) + 1 from order_events), 0) as next`.execute(tx)
  return rows[0]?.next ?? 0
}

/** Days whose orders have had an event, in stretches of at most a month: from the first day, before the last. */
async function changedDays(tx: Db, from: number): Promise<[string, string][]> {
  const { rows } = await sql<{ day: string }>`
    select distinct ((o.placed_at at time zone 'Asia/Dhaka')::date)::text as day
    from orders o where ${from === 0 ? sql`true` : sql`o.id in (select order_id from order_events where id >= ${from})`} order by day`.execute(
    tx,
  )
  const stretches: [string, string][] = []
  for (const { day } of rows) {
    const last = stretches.at(-1)
    if (last && last[1] === day && addDays(last[0], DAYS_AT_ONCE) > day) last[1] = addDays(day, 1)
    else stretches.push([day, addDays(day, 1)])
  }
  return stretches
}

/** Money as it is now: an animal at its last weight, less what was given back. */
async function aggregateDays(tx: Db, [from, before]: [string, string]): Promise<void> {
  const span = sql`o.placed_at >= ${dhakaInstant(from)} and o.placed_at < ${dhakaInstant(before)}`
  const day = sql`(o.placed_at at time zone 'Asia/Dhaka')::date`
  await sql`delete from sales_days where day >= ${from}::date and day < ${before}::date`.execute(tx)
  await sql`delete from sales_day_categories where day >= ${from}::date and day < ${before}::date`.execute(tx)
  await sql`
    insert into sales_days (day, area_id, source, orders, total_poisha, discount_poisha, shipping_poisha, done_orders, done_poisha, lost_orders, lost_poisha)
    select ${day}, coalesce(o.area_id, 0), o.source,
      count(*) filter (where kept), coalesce(sum(o.spent_poisha) filter (where kept), 0), coalesce(sum(o.discount_poisha) filter (where kept), 0),
      coalesce(sum(o.shipping_poisha) filter (where kept), 0), count(*) filter (where done), coalesce(sum(o.spent_poisha) filter (where done), 0),
      count(*) filter (where not kept), coalesce(sum(o.total_poisha) filter (where not kept), 0)
    from orders o cross join lateral (select o.status not in ('cancelled', 'returned') as kept, o.status in ('delivered', 'completed') as done) s
    where ${span} group by 1, 2, 3`.execute(tx)
  await sql`
    insert into sales_day_categories (day, category_id, orders, total_poisha)
    select ${day}, p.category_id, count(distinct o.id), sum(l.line_total_poisha - (select coalesce(sum(b.goods_poisha), 0)
      from pos_returns r join pos_return_lines b on b.return_id = r.id where r.order_id = o.id and b.product_id = l.product_id)
      -- A settlement entry below zero makes the animal dearer.
      - (select coalesce(sum(e.amount_poisha), 0) from settlements s join ledger_entries e on e.id = s.ledger_entry_id
        where s.order_id = o.id and s.product_id = l.product_id))
    from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
    where ${span} and o.status not in ('cancelled', 'returned') group by 1, 2`.execute(tx)
}
