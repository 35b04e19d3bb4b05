import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { loggedFilter } from '#features/audit/logged-filter.ts'
import { DAY_MS } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'
import { inTransactionOrRollback } from '#lib/db/rollback.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { CampaignInput } from './forms.ts'
import { countRecipients, insertPeople, peopleCondition } from './recipients.server.ts'
import { campaignParts, type CampaignTexts, type TextError, textErrors } from './rules.ts'
import { MAX_DAYS_AHEAD, MAX_PAST_MS, MAX_PEOPLE, MAX_RUNNING } from './types.ts'

export type StartResult =
  | { ok: true; id: number }
  | { ok: false; reason: 'none' | 'too-many-people' | 'too-many-campaigns' | 'too-late' | 'past' }
  | { ok: false; reason: 'texts'; errors: Partial<Record<Lang, TextError>> }
  /** More people match than were confirmed. */
  | { ok: false; reason: 'changed'; count: number }

export interface StartOptions {
  sendsEnglish: boolean
  /** A link as long as that of each SMS. */
  link: string
  now: Date
}

/**
 * Starts a campaign and fixes its people: those that match now and are not newer than the confirmed number. A worker sends it
 * (`run-campaigns.server.ts`), from `starts_at` on.
 */
export async function startCampaign(db: Db, input: CampaignInput, options: StartOptions, actor: Actor): Promise<StartResult> {
  const texts: CampaignTexts = { en: input.text_en, bn: input.text_bn }
  const errors = textErrors(texts, options.sendsEnglish, options.link)
  if (Object.keys(errors).length > 0) return { ok: false, reason: 'texts', errors }
  if (input.starts_at && input.starts_at.getTime() > options.now.getTime() + MAX_DAYS_AHEAD * DAY_MS)
    return { ok: false, reason: 'too-late' }
  if (input.starts_at && input.starts_at.getTime() < options.now.getTime() - MAX_PAST_MS) return { ok: false, reason: 'past' }
  if (input.count > MAX_PEOPLE) return { ok: false, reason: 'too-many-people' }
  const condition = await peopleCondition(db, input.query)
  if (!condition || input.count === 0) return { ok: false, reason: 'none' }
  return inTransactionOrRollback<StartResult>(db, (tx, rollBack) => insertCampaign(tx, input, { ...options, condition, rollBack }, actor))
}

interface InsertOptions extends StartOptions {
  condition: NonNullable<Awaited<ReturnType<typeof peopleCondition>>>
  rollBack: (result: StartResult) => never
}

async function insertCampaign(
  tx: Db,
  { name, text_en, text_bn, parts_limit, starts_at, query, count, up_to }: CampaignInput,
  { condition, sendsEnglish, link, now, rollBack }: InsertOptions,
  actor: Actor,
): Promise<StartResult> {
  await sql`select pg_advisory_xact_lock(hashtextextended('campaigns', 0))`.execute(tx)
  const running = await sql<{ count: number }>`select count(*)::int as count from campaigns where state in ('running', 'paused')`.execute(
    tx,
  )
  if (running.rows[0]!.count >= MAX_RUNNING) return { ok: false, reason: 'too-many-campaigns' }
  const filter = loggedFilter(new URLSearchParams(query))
  const startsAt = starts_at && starts_at > now ? starts_at : now
  const { rows } = await sql<{
    id: number
  }>`insert into campaigns (name, text_en, text_bn, filter, total, parts_limit, starts_at, started_by)
    values (${name}, ${text_en}, ${text_bn}, ${filter}, 1, 1, ${startsAt}, ${actor.id}) returning id`.execute(tx)
  const { id } = rows[0]!
  const people = await insertPeople(tx, id, { condition, upTo: up_to, max: count + 1, sendsEnglish })
  const total = people.en + people.bn
  if (total === 0) rollBack({ ok: false, reason: 'none' })
  if (total > count) {
    const { en, bn } = await countRecipients(tx, query, sendsEnglish)
    rollBack({ ok: false, reason: 'changed', count: en + bn })
  }
  const limit = parts_limit ?? campaignParts({ en: text_en, bn: text_bn }, people, link)
  await sql`update campaigns set total = ${total}, parts_limit = ${limit} where id = ${id}`.execute(tx)
  await audit(tx, actor, {
    action: 'created',
    subject: 'campaign',
    id,
    after: { name, count: total, parts_limit: limit, filter, text_en, text_bn },
  })
  return { ok: true, id }
}
