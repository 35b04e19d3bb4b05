import { type RawBuilder, sql } from 'kysely'
import type { Permission } from '#features/auth/permissions.ts'
import { isLowStock } from '#features/catalog/low-stock.server.ts'
import { listUnsettledWeighings } from '#features/cattle/settlement/final-weighings.server.ts'
import { listDueWeighings } from '#features/cattle/queries.server.ts'
import { readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { countFiltered } from '#features/orders/history/order-list.server.ts'
import { comesOn, kurbaniAfter, lateOn, IS_EXPECTED } from '#features/orders/delivery-dates.server.ts'
import { IS_NEW_BOOKING } from '#features/orders/pre-booked.server.ts'
import { countHeldWithoutExpiry } from '#features/orders/status/held-animals.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { daysBefore, addDays, dhakaDate } from '#lib/format/time.ts'
import { MAX_TASK_COUNT } from './limits.ts'

export type TaskKey =
  | 'call'
  | 'weigh'
  | 'settle'
  | 'refund'
  | 'returned'
  | 'unpaid'
  | 'verify'
  | 'payments'
  | 'deliver'
  | 'late'
  | 'season'
  | 'attention'
  | 'sms'
  | 'bookings'

/** A task of today: the count and the link to the list. */
export interface Task {
  key: TaskKey
  count: number
  href: string
}

export interface LowStockItem {
  id: number
  name: string
  left_milli: number
  unit: string
}

const PERMISSION_OF: Record<TaskKey, Permission> = {
  call: 'orders.read',
  weigh: 'weighins.read',
  settle: 'orders.read',
  refund: 'orders.read',
  returned: 'orders.read',
  unpaid: 'orders.read',
  verify: 'orders.read',
  payments: 'orders.read',
  deliver: 'orders.read',
  late: 'orders.read',
  season: 'orders.read',
  attention: 'orders.read',
  sms: 'sms.read',
  bookings: 'bookings.read',
}

const MAX_LOW = 12
/** Days of SMS with a problem; one of `SMS_LIST_DAYS`, by which the log can be limited. */
const SMS_DAYS = 7
/** A refund that is still not sent, or whose outcome is still unknown, after this is shown to the staff. */
const REFUND_ANSWER_MS = 10 * 60_000

/**
 * The tasks of today with their counts. `seasonEnds`: the last day of delivery of Kurbani. Until then, orders with an animal that comes later
 * are a task, where there are some: the moon may have moved Eid after they were placed.
 */
export async function listTasks(db: Db, now: Date, seasonEnds: string | null = null): Promise<Task[]> {
  const today = dhakaDate(now)
  const tomorrow = addDays(today, 1)
  const bounded = (rows: RawBuilder<unknown>) => sql`(select count(*)::int from (select 1 from ${rows} limit ${MAX_TASK_COUNT + 1}) found)`
  const [{ rows }, due, unsettled, refund, unpaid] = await Promise.all([
    sql<Record<Exclude<TaskKey, 'weigh' | 'settle' | 'refund' | 'unpaid'>, number>>`select
      ${bounded(sql`kurbani_bookings b where ${IS_NEW_BOOKING}`)} as bookings,
      ${bounded(sql`orders o where ${comesOn(tomorrow)} and o.status = 'placed'`)} as call,
      ${bounded(sql`orders o where ${comesOn(today)} and ${IS_EXPECTED}`)} as deliver,
      ${bounded(sql`orders o where ${lateOn(today)}`)} as late,
      ${seasonEnds === null || seasonEnds < today ? sql`0` : bounded(sql`orders o where ${kurbaniAfter(seasonEnds)}`)} as season,
      ${bounded(sql`returned_animals`)} as returned,
      ${bounded(sql`advance_reports where state = 'waiting'`)} as verify,
      ${bounded(sql`orders where needs_attention is not null`)} as attention,
      ${bounded(sql`sms_outbox where state in ('failed', 'unknown') and created_at > ${daysBefore(now, SMS_DAYS)}`)} as sms,
      ${bounded(sql`(select id from payment_attempts where state = 'review' union all select id from gateway_refunds where state in ('requested', 'unknown')
        and coalesce(sent_at, created_at) < ${new Date(now.getTime() - REFUND_ANSWER_MS)}) open_payments`)} as payments`.execute(db),
    listDueWeighings(db, now),
    listUnsettledWeighings(db),
    countFiltered(db, readOrderFilter({ due: 'refund' })),
    countHeldWithoutExpiry(db),
  ])
  const counts = { ...rows[0], weigh: due.total, settle: unsettled.total, refund, unpaid } as Record<TaskKey, number>
  const hrefs: Record<TaskKey, string> = {
    call: `/admin/orders?list_on=${tomorrow}&status=placed`,
    deliver: `/admin/orders?list_on=${today}&open=1`,
    late: `/admin/orders?late_on=${today}`,
    season: `/admin/orders?kurbani_after=${seasonEnds}`,
    verify: '/admin/advances',
    payments: '/admin/payments',
    weigh: '/admin/weigh-ins',
    settle: '/admin/weigh-ins',
    refund: '/admin/orders?due=refund',
    returned: '/admin/held-animals#returned',
    unpaid: '/admin/held-animals',
    attention: '/admin/orders?attention=1',
    sms: `/admin/sms?state=problem&days=${SMS_DAYS}`,
    bookings: '/admin/bookings?state=new',
  }
  const keys = (Object.keys(hrefs) as TaskKey[]).filter((key) => key !== 'season' || counts.season > 0)
  return keys.map((key) => ({ key, count: counts[key], href: hrefs[key] }))
}

/** The tasks that the permissions allow. */
export function tasksFor(tasks: readonly Task[], can: (permission: Permission) => boolean): Task[] {
  return tasks.filter(({ key }) => can(PERMISSION_OF[key]))
}

/** Whether the shop has no order, booking or message to look at: a dashboard would show zeros alone. */
export async function isShopUnused(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (select 1 from orders) or exists (select 1 from kurbani_bookings)`.execute(db)
  return rows.length === 0
}

export interface DayLoad {
  day: string
  /** Orders with a delivery on this day. */
  orders: number
}

const DAYS_AHEAD = 7

/** The number of deliveries of today and the next days. */
export async function listDeliveryLoad(db: Db, now: Date): Promise<DayLoad[]> {
  const today = dhakaDate(now)
  const days = Array.from({ length: DAYS_AHEAD }, (_, ahead) => addDays(today, ahead))
  const { rows } = await sql<DayLoad>`select to_char(day, 'YYYY-MM-DD') as day, count(*)::int as orders from (
      select o.deliver_on as day from orders o where o.deliver_on between ${today}::date and ${days.at(-1)}::date and ${IS_EXPECTED}
      union all
      select first_delivery_on(o) from orders o where o.deliveries = 2 and o.deliver_on > ${today}::date and ${IS_EXPECTED}) coming
    where day between ${today}::date and ${days.at(-1)}::date group by day`.execute(db)
  const counts = new Map(rows.map(({ day, orders }) => [day, orders]))
  return days.map((day) => ({ day, orders: counts.get(day) ?? 0 }))
}

/** Counted products with low stock, lowest first. `max` is in units. */
export async function listLowStock(db: Db, max: number, lang: Lang): Promise<LowStockItem[]> {
  const { rows } = await sql<LowStockItem>`
    select id, ${columnIn(lang, 'name')} as name, stock_milli as left_milli, unit from products p
    where visible and ${isLowStock(max)} order by stock_milli, id limit ${MAX_LOW}`.execute(db)
  return rows
}
