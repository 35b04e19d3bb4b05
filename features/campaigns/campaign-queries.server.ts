import { sql } from 'kysely'
import { campaignLimitAt } from '#features/messaging/campaign-limit-rules.ts'
import { findSmsBudget, findSmsProvider } from '#features/messaging/queries.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { isQuiet } from '#features/settings/sms/quiet-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, type ListView } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { Campaign, CampaignProgress, NotReached, WaitReason } from './types.ts'

const COLUMNS = sql`c.id, c.name, c.text_en, c.text_bn, c.state, c.total, c.parts_limit, c.parts_used, c.starts_at, c.created_at, c.finished_at,
  c.state = 'running' and c.starts_at > now() as is_ahead, u.name as by, coalesce(c.sent, p.sent) as sent, p.waiting,
  coalesce(c.not_reached, p.not_reached) as not_reached`

/**
 * The people of campaign `c` by the state of their SMS; nothing is read of one whose totals are stored. A queued person has an SMS, unless they
 * were erased.
 */
export const COUNTED = sql`(select s.sent, s.open + p.waiting as waiting, s.not_sent + p.skipped as not_reached, s.sms_parts, s.open
  from (select count(*) filter (where state = 'submitted')::int as sent, count(*) filter (where state in ('queued', 'sending'))::int as open,
      count(*) filter (where state in ('failed', 'unknown', 'skipped'))::int as not_sent, coalesce(min(parts), 1)::int as sms_parts
    from sms_outbox where campaign_id = c.id and c.sent is null) s,
    (select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'skipped')::int as skipped
    from campaign_people where campaign_id = c.id and c.sent is null and state in ('waiting', 'skipped')) p)`

const PROGRESS = sql`join users u on u.id = c.started_by cross join lateral ${COUNTED} p`

type Row = WithDates<Campaign, 'starts_at' | 'created_at' | 'finished_at'>

export const CAMPAIGNS_PAGE = 25

/** A page of the campaigns, newest first. */
export async function listCampaigns(db: Db, view: ListView): Promise<KeysetPage<Campaign>> {
  const { size = CAMPAIGNS_PAGE } = view
  const { beyond, direction } = numericCursor(sql`c.id`, view)
  const { rows } = await sql<Row>`select ${COLUMNS} from (select * from campaigns c where ${beyond}
      order by c.id ${direction} limit ${size + 1}) c ${PROGRESS}
    order by c.id ${direction}`.execute(db)
  return keysetPage(rows.map(datesToText), view, size, (row) => [row.id])
}

async function findCampaign(db: Db, id: number): Promise<{ campaign: Campaign; parts: number } | null> {
  const { rows } = await sql<
    Row & { sms_parts: number }
  >`select ${COLUMNS}, p.sms_parts from campaigns c ${PROGRESS} where c.id = ${id}`.execute(db)
  if (!rows[0]) return null
  const { sms_parts: parts, ...row } = rows[0]
  return { campaign: datesToText(row), parts }
}

/** One campaign with its progress and what it waits for, or null. */
export async function findProgress(db: Db, id: number, settings: Settings, now: Date): Promise<CampaignProgress | null> {
  const limit = campaignLimitAt(now, settings)
  const [found, budget, provider] = await Promise.all([findCampaign(db, id), findSmsBudget(db, limit), findSmsProvider(db)])
  if (!found) return null
  const { campaign, parts } = found
  const isUsedUp = budget.sent + parts > limit
  return {
    campaign,
    waits: waitReason(campaign, { isQuiet: isQuiet(now, settings.quiet_hours), hasProblem: provider.problem !== null, isUsedUp }),
  }
}

/** `isUsedUp`: the day's budget has no room for another SMS of the campaign. */
function waitReason(
  { state, waiting, is_ahead }: Campaign,
  { isQuiet, hasProblem, isUsedUp }: { isQuiet: boolean; hasProblem: boolean; isUsedUp: boolean },
): WaitReason | null {
  if (state !== 'running' || waiting === 0) return null
  if (is_ahead) return 'start'
  if (isQuiet) return 'quiet'
  if (hasProblem) return 'provider'
  return isUsedUp ? 'budget' : null
}

export const NOT_REACHED_PAGE = 50

/** The people that were not reached, and why, by phone; `after` is the last phone of the page before. */
export async function listNotReached(db: Db, campaignId: number, after: string): Promise<NotReached[]> {
  const { rows } = await sql<NotReached>`
    select p.phone, p.customer_id, coalesce(u.name, '') as name,
      coalesce(p.reason, case s.state when 'skipped' then s.failure else s.state end) as reason
    from campaign_people p left join sms_outbox s on s.campaign_id = p.campaign_id and s.phone = p.phone left join users u on u.id = p.customer_id
    where p.campaign_id = ${campaignId} and p.phone > ${after} and (p.state = 'skipped' or s.state in ('failed', 'unknown', 'skipped'))
    order by p.phone limit ${NOT_REACHED_PAGE}`.execute(db)
  return rows
}
