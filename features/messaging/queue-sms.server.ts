import { sql } from 'kysely'
import { DAY_SECONDS } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'
import { cutSms } from '#features/settings/sms/text-rules.ts'

/** `code`: sent first, and never late. `order`: an event of an order. `staff`: written by hand. `campaign`: to many customers. */
export type SmsPurpose = 'code' | 'order' | 'staff' | 'campaign'

export type NewSms = {
  purpose: SmsPurpose
  orderId?: number | null
  /** The event, unique per order: `order-placed`, `payment-received-7`. */
  event: string
  /** `01XXXXXXXXX` */
  phone: string
  text: string
  sentBy?: number | null
  /** How long the text is true: a message that has waited longer is not sent. The purpose may set a shorter time. */
  validSeconds?: number | undefined
  /** The campaign of an SMS, and the SMS parts that it takes of the budgets. */
  campaign?: { id: number; parts: number }
}

/** A code is useless later: the user has requested another. */
const CODE_SECONDS = 120
/** A campaign may wait for the morning, and for the next day's budget. */
const CAMPAIGN_SECONDS = 3 * DAY_SECONDS

const SECONDS: Record<SmsPurpose, number> = { code: CODE_SECONDS, order: DAY_SECONDS, staff: DAY_SECONDS, campaign: CAMPAIGN_SECONDS }

/**
 * Puts a message into the outbox, in the transaction of its event. Each event of an order, and each
 * person of a campaign, is queued once: null when it is queued already, or has no phone. A text that is too long is cut.
 */
export async function queueSms(tx: Db, sms: NewSms): Promise<number | null> {
  if (sms.phone === '') return null
  const { rows } = await sql<{ id: number }>`
    insert into sms_outbox (purpose, order_id, template, phone, body, expires_at, sent_by, campaign_id, parts)
    values (${sms.purpose}, ${sms.orderId ?? null}, ${sms.event}, ${sms.phone}, ${cutSms(sms.text)},
      now() + make_interval(secs => ${Math.min(SECONDS[sms.purpose], sms.validSeconds ?? Infinity)}), ${sms.sentBy ?? null}, ${sms.campaign?.id ?? null}, ${sms.campaign?.parts ?? 1})
    on conflict do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Messages of an order that wait in the outbox go to the phone that the order has now, so that no stranger gets its link. Their links get the
 * order's new key.
 */
export async function redirectQueuedSms(tx: Db, orderId: number, phone: string): Promise<void> {
  await sql`update sms_outbox s set phone = ${phone}, body = regexp_replace(s.body, '(/invoice/' || o.id || '[?]key=)[A-Za-z0-9_-]+', '\\1' || o.view_key, 'g')
    from orders o where o.id = ${orderId} and s.order_id = o.id and s.state = 'queued' and s.purpose in ('order', 'staff')
    and not exists (select 1 from sms_outbox d where d.order_id = s.order_id and d.purpose = s.purpose and d.template = s.template
      and d.phone = ${phone})`.execute(tx)
}

/**
 * Automatic messages that still wait when the quiet hours begin, as for the budget of the next day, wait for their end. `events`: the
 * beginning of their events. A message that staff have sent again is left.
 */
export async function deferQueuedSms(db: Db, events: string, until: Date): Promise<void> {
  await sql`update sms_outbox set not_before = ${until}, expires_at = greatest(expires_at, ${until}::timestamptz + interval '1 hour')
    where state = 'queued' and purpose = 'order' and sent_by is null
      and template like ${`${events}%`} and not_before < ${until}`.execute(db)
}
