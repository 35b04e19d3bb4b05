import { type RawBuilder, sql } from 'kysely'
import { IS_NEW_BOOKING } from '#features/orders/pre-booked.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { MAX_NEWS_IDS, type News } from './rules.ts'

/** Pre-bookings that are looked at. Those whose customers ordered by themselves stay stored as new, so that they become more every season. */
const MAX_READ_BOOKINGS = 4 * MAX_NEWS_IDS

/** The newest ids of each kind, newest first, in one statement of index reads. Kinds that wait for staff list only what still waits. */
export async function listNews(db: Db): Promise<News> {
  const newest = (rows: RawBuilder<unknown>) => sql`to_json(array(select id from ${rows} order by id desc limit ${MAX_NEWS_IDS}))`
  const sms = (state: string) => sql`(select id from sms_outbox where state = ${state} order by id desc limit ${MAX_NEWS_IDS})`
  const { rows } = await sql<News>`select
    to_json(array(select id from orders where source = 'web' order by placed_at desc, id desc limit ${MAX_NEWS_IDS})) as orders,
    ${newest(sql`advance_reports where state = 'waiting'`)} as advances,
    ${newest(sql`(select * from kurbani_bookings where state = 'new' order by id desc limit ${MAX_READ_BOOKINGS}) b where ${IS_NEW_BOOKING}`)} as bookings,
    ${newest(sql`(${sms('failed')} union all ${sms('unknown')}) unsent`)} as sms,
    ${newest(sql`reviews where state = 'waiting'`)} as reviews,
    ${newest(sql`area_requests where state = 'new'`)} as "area-requests"`.execute(db)
  return rows[0]!
}
