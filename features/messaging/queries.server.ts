import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, type LogView } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import {
  PROBLEM_STATES,
  SMS_COUNT_DAYS,
  type SmsBudgetJson,
  type SmsCounts,
  type SmsJson,
  type SmsList,
  type SmsProviderJson,
} from './types.ts'
import { MASKED_BODY } from './masked-body.server.ts'

export type SmsFilter = {
  state?: SmsList | null
  /** Only those of the last days. */
  days?: number | null
  /** `01XXXXXXXXX` */
  phone?: string | null
  orderId?: number | null
}

type SmsRow = WithDates<SmsJson, 'created_at' | 'updated_at'>

const columns = sql`s.id, s.phone, s.purpose, s.template as event, s.state, s.failure, s.attempts, s.order_id, s.created_at, s.updated_at,
  extract(epoch from now() - s.created_at)::int as age_seconds, u.name as sent_by`

/** The messages of a demo shop with their codes, newest first. */
export async function listDemoSms(db: Db, limit: number): Promise<SmsJson[]> {
  const { rows } = await sql<SmsRow>`select ${columns}, s.body as text
    from sms_outbox s left join users u on u.id = s.sent_by order by s.id desc limit ${limit}`.execute(db)
  return rows.map(datesToText)
}

export const SMS_PAGE = 50

/** A page of the log, newest first unless the view says otherwise. The digits of codes are masked: only their receivers may know them. */
export async function listSms(db: Db, { state, days, phone, orderId }: SmsFilter, view: LogView): Promise<KeysetPage<SmsJson>> {
  const { size = SMS_PAGE } = view
  const { beyond, direction } = numericCursor(sql`s.id`, view)
  const states = state === 'problem' ? PROBLEM_STATES : [state ?? null]
  // A query for each state reads the index of the states in the order of the list. For several at once, PostgreSQL walks the whole log.
  const pages = states.map(
    (one) => sql`(select s.* from sms_outbox s
      where ${beyond} ${one ? sql`and s.state = ${one}` : sql``} ${phone ? sql`and s.phone = ${phone}` : sql``}
        ${orderId ? sql`and s.order_id = ${orderId}` : sql``}
        ${days ? sql`and s.created_at > now() - make_interval(days => ${days})` : sql``}
      order by s.id ${direction} limit ${size + 1})`,
  )
  const { rows } = await sql<SmsRow>`
    select ${columns}, ${MASKED_BODY} as text
    from (${sql.join(pages, sql` union all `)}) s left join users u on u.id = s.sent_by
    order by s.id ${direction} limit ${size + 1}`.execute(db)
  return keysetPage(rows.map(datesToText), view, size, (row) => [row.id])
}

/** Counts the waiting messages, and the failed and unknown ones of the last thirty days (`SMS_COUNT_DAYS`). */
export async function countSms(db: Db): Promise<SmsCounts> {
  const { rows } = await sql<SmsCounts>`select
    (select count(*)::int from sms_outbox where state in ('queued', 'sending')) as waiting,
    (select count(*)::int from sms_outbox where state = 'failed' and created_at > now() - make_interval(days => ${SMS_COUNT_DAYS})) as failed,
    (select count(*)::int from sms_outbox where state = 'unknown' and created_at > now() - make_interval(days => ${SMS_COUNT_DAYS})) as unknown`.execute(
    db,
  )
  return rows[0]!
}

/** The used part of the day's budget. */
export async function findSmsBudget(db: Db, limit: number): Promise<SmsBudgetJson> {
  const { rows } = await sql<{ sent: number }>`select sent from sms_days where day = ${DHAKA_TODAY}`.execute(db)
  return { sent: rows[0]?.sent ?? 0, limit }
}

/** The state of the provider: its problem, if any, and the last known balance. */
export async function findSmsProvider(db: Db): Promise<SmsProviderJson> {
  const { rows } = await sql<WithDates<SmsProviderJson, 'problem_since' | 'balance_at'>>`
    select problem, problem_since, balance_poisha / 100.0::float8 as balance, balance_at from sms_provider`.execute(db)
  return datesToText(rows[0]!)
}

/** Whether an SMS about an order was sent or is queued; null for neither. Without a provider none counts as queued. */
export async function findOrderSmsState(db: Db, orderId: number, hasProvider: boolean): Promise<'sent' | 'queued' | null> {
  const { rows } = await sql<{ sent: boolean; queued: boolean }>`select
      count(*) filter (where state in ('submitted', 'unknown')) > 0 as sent,
      count(*) filter (where state in ('queued', 'sending') and expires_at > now()) > 0 as queued
    from sms_outbox where order_id = ${orderId} and purpose = 'order'`.execute(db)
  return rows[0]?.sent ? 'sent' : hasProvider && rows[0]?.queued ? 'queued' : null
}
