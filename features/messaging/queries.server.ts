import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { SmsCounts, SmsJson, SmsProviderJson, SmsState } from './types.ts'

export type SmsFilter = {
  state?: SmsState | null
  /** `01XXXXXXXXX` */
  phone?: string | null
  orderId?: number | null
  /** Older than this message. */
  beforeId?: number | null
  most: number
  /** Codes are nobody's business; only a demo shows them. */
  showsCodes: boolean
}

/** Messages, newest first, with how old they are in seconds. */
export async function listSms(db: Db, { state, phone, orderId, beforeId, most, showsCodes }: SmsFilter): Promise<SmsJson[]> {
  const { rows } = await sql<SmsJson>`
    select s.id, s.phone, s.purpose, s.template as event, s.state, s.failure, s.attempts, s.order_id,
      case when s.purpose = 'code' and not ${showsCodes}::boolean then regexp_replace(s.body, '[0-9০-৯]', '•', 'g') else s.body end as text,
      s.created_at, s.updated_at, extract(epoch from now() - s.created_at)::int as age_seconds, u.name as sent_by
    from sms_outbox s left join users u on u.id = s.sent_by
    where true ${state ? sql`and s.state = ${state}` : sql``} ${phone ? sql`and s.phone = ${phone}` : sql``}
      ${orderId ? sql`and s.order_id = ${orderId}` : sql``} ${beforeId ? sql`and s.id < ${beforeId}` : sql``}
    order by s.id desc limit ${most}`.execute(db)
  return rows
}

/** How many wait, and how many of the last thirty days need a person. */
export async function countSms(db: Db): Promise<SmsCounts> {
  const { rows } = await sql<SmsCounts>`select
    (select count(*)::int from sms_outbox where state in ('queued', 'sending')) as waiting,
    (select count(*)::int from sms_outbox where state = 'failed' and created_at > now() - interval '30 days') as failed,
    (select count(*)::int from sms_outbox where state = 'unknown' and created_at > now() - interval '30 days') as unknown`.execute(db)
  return rows[0]!
}

/** What is known of the provider; `hasGateway` false says that nobody is configured. */
export async function findSmsProvider(db: Db, hasGateway: boolean): Promise<SmsProviderJson> {
  const { rows } = await sql<Omit<SmsProviderJson, 'balance'> & { balance_poisha: number | null }>`
    select problem, problem_since, balance_poisha, balance_at from sms_provider`.execute(db)
  const { balance_poisha, ...row } = rows[0]!
  return { ...row, balance: balance_poisha === null ? null : balance_poisha / 100, problem: hasGateway ? row.problem : 'not-configured' }
}
