import { sql } from 'kysely'
import { campaignDailyLimit, campaignLimitAt } from '#features/messaging/campaign-limit-rules.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import type { SmsSender } from '#features/messaging/sender.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { smsSize } from '#features/settings/sms/text-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { COUNTED } from './campaign-queries.server.ts'
import { pauseLate, pauseOrphaned } from './control-campaign.server.ts'
import { campaignSms, sentLang } from './rules.ts'
import { stopLink } from './stop-link.server.ts'

// Moves people of running campaigns into `sms_outbox`, one short transaction for each campaign (decision 61). A killed process rolls its
// people back. The lock of the campaign makes two processes queue different people; the unique index of the outbox holds it once more.

/** SMS of a campaign in the outbox at a time, so that messages about orders never wait behind a long queue. */
const MAX_OPEN = 25

export interface CampaignDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
  sms: Pick<SmsSender, 'gateway' | 'notify'>
}

/**
 * The scheduled job. Returns how many SMS it queued. Nothing is queued in quiet hours, and without a provider. The error of a campaign is
 * thrown after the others have run.
 */
export async function runCampaigns(deps: CampaignDeps): Promise<number> {
  const { db, now, sms } = deps
  await endFinished(db)
  await storeTotals(db)
  await pauseOrphaned(db)
  const settings = await deps.shopCache.settings()
  await pauseLate(db, now(), campaignDailyLimit(settings.sms_daily_limit))
  const limit = campaignLimitAt(now(), settings)
  if (limit === 0 || sms.gateway === null) return 0
  const { rows } = await sql<{
    id: number
  }>`select id from campaigns where state = 'running' and starts_at <= ${now()} order by id`.execute(db)
  let queued = 0
  try {
    await runEach(
      rows,
      async ({ id }) => (queued += await inTransaction(db, (tx) => queueNext(tx, id, limit, { env: deps.env, settings }))),
    )
  } finally {
    if (queued > 0) sms.notify()
  }
  return queued
}

interface Room {
  text_en: string
  text_bn: string
  /** SMS parts that the campaign has left, and the day. */
  own: number
  day: number
  /** Places in the outbox. */
  open: number
}

async function lockRoom(tx: Db, id: number, limit: number): Promise<Room | null> {
  const locked = await sql`select 1 from campaigns where id = ${id} and state = 'running' for update skip locked`.execute(tx)
  if (locked.rows.length === 0) return null
  const { rows } = await sql<Room>`
    select c.text_en, c.text_bn, c.parts_limit - c.parts_used as own,
      ${limit} - coalesce((select sent from sms_days where day = ${DHAKA_TODAY}), 0)
        - coalesce(sum(s.parts) filter (where s.state = 'queued'), 0)::int as day,
      ${MAX_OPEN} - count(*) filter (where s.campaign_id = c.id)::int as open
    from campaigns c left join sms_outbox s on s.campaign_id is not null and s.state in ('queued', 'sending')
    where c.id = ${id} group by c.id`.execute(tx)
  return rows[0] ?? null
}

interface NextPerson {
  phone: string
  lang: Lang
  stop_token: string
  has_opted_out: boolean
  /** The account was closed or merged, or has another phone now. */
  is_closed: boolean
}

/**
 * Queues the next people of a campaign as far as there is room; those that may not get it are skipped. The lock of a person makes an erasure
 * wait, and delete the SMS as well.
 */
async function queueNext(tx: Db, id: number, limit: number, shop: Shop): Promise<number> {
  const room = await lockRoom(tx, id, limit)
  if (!room || room.open <= 0) return 0
  const { rows } = await sql<NextPerson>`
    select p.phone, p.lang, p.stop_token, exists (select 1 from sms_opt_outs x where x.phone = p.phone) as has_opted_out,
      not exists (select 1 from users u where u.id = p.customer_id and u.phone = p.phone and u.disabled_at is null) as is_closed
    from campaign_people p where p.campaign_id = ${id} and p.state = 'waiting' order by p.phone limit ${room.open}
    for update of p skip locked`.execute(tx)
  let queued = 0
  let used = 0
  for (const person of rows) {
    const reason = person.has_opted_out ? 'opted-out' : person.is_closed ? 'closed' : null
    if (reason !== null) {
      await sql`update campaign_people set state = 'skipped', reason = ${reason} where campaign_id = ${id} and phone = ${person.phone}`.execute(
        tx,
      )
      continue
    }
    const text = textFor(person, room, shop)
    const { parts } = smsSize(text)
    if (used + parts > room.own) {
      await sql`update campaign_people set state = 'skipped', reason = 'budget' where campaign_id = ${id} and state = 'waiting'`.execute(tx)
      break
    }
    if (used + parts > room.day) break
    const sms = { purpose: 'campaign', event: `campaign-${id}`, phone: person.phone, text, campaign: { id, parts } } as const
    if ((await queueSms(tx, sms)) !== null) [queued, used] = [queued + 1, used + parts]
    await sql`update campaign_people set state = 'queued' where campaign_id = ${id} and phone = ${person.phone}`.execute(tx)
  }
  if (used > 0) await sql`update campaigns set parts_used = parts_used + ${used} where id = ${id}`.execute(tx)
  return queued
}

interface Shop {
  env: CampaignDeps['env']
  settings: Pick<Settings, 'sms_english'>
}

/** The SMS of a person. English may have been switched off since the campaign began: a named sender may be bound to Bengali. */
function textFor({ lang, stop_token }: NextPerson, { text_en, text_bn }: Room, { env, settings }: Shop): string {
  const texts = { en: text_en, bn: text_bn }
  const wanted = orderSmsLang(lang, settings)
  const used = sentLang(texts, wanted) ?? wanted
  return campaignSms(texts[used], used, stopLink(env.publicUrl, stop_token))
}

/** Ends campaigns without waiting people and without SMS to send. */
async function endFinished(db: Db): Promise<void> {
  await sql`update campaigns c set state = 'done', finished_at = now() where c.state = 'running'
    and not exists (select 1 from campaign_people p where p.campaign_id = c.id and p.state = 'waiting')
    and not exists (select 1 from sms_outbox s where s.campaign_id = c.id and s.state in ('queued', 'sending'))`.execute(db)
}

/** Stores the totals of an ended campaign, of one at a time, once none of its SMS is on its way. */
async function storeTotals(db: Db): Promise<void> {
  await sql`update campaigns set sent = t.sent, not_reached = t.not_reached
    from (select c.id, p.sent, p.not_reached from campaigns c cross join lateral ${COUNTED} p
      where c.state in ('done', 'stopped') and c.sent is null and p.open = 0 order by c.id limit 1) t where campaigns.id = t.id`.execute(db)
}
