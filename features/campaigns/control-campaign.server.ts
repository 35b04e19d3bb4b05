import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { can } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { MAX_SMS_PARTS } from '#features/settings/sms/text-rules.ts'
import { DAY_MS } from '#lib/format/time.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'

export type ControlResult = { ok: true } | { ok: false; reason: 'missing' | 'already' }

const CHANGES = {
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  stop: { from: ['running', 'paused'], to: 'stopped' },
} as const

export type CampaignAction = keyof typeof CHANGES
export const CAMPAIGN_ACTIONS = Object.keys(CHANGES) as CampaignAction[]

/**
 * Pauses, resumes or stops a campaign. What waits in the outbox goes back to the campaign with its parts, so that afterwards nothing is sent
 * but the SMS that a sender has claimed already.
 */
export function controlCampaign(db: Db, id: number, action: CampaignAction, actor: Actor, now: Date): Promise<ControlResult> {
  const { from, to } = CHANGES[action]
  return inTransaction(db, async (tx) => {
    // The worker holds the same lock while it queues.
    const { rows } = await sql<{ state: string }>`select state from campaigns where id = ${id} for update`.execute(tx)
    const state = rows[0]?.state
    if (state === undefined) return { ok: false, reason: 'missing' }
    if (!(from as readonly string[]).includes(state)) return { ok: false, reason: 'already' }
    await sql`update campaigns set state = ${to}, finished_at = case when ${to} = 'stopped' then now() end where id = ${id}`.execute(tx)
    // The member of staff who resumes it becomes its author. A time that has passed is not late any more.
    if (to === 'running')
      await sql`update campaigns set started_by = ${actor.id}, starts_at = greatest(starts_at, ${now}) where id = ${id}`.execute(tx)
    else await withdrawQueued(tx, id)
    if (to === 'stopped')
      await sql`update campaign_people set state = 'skipped', reason = 'stopped' where campaign_id = ${id} and state = 'waiting'`.execute(
        tx,
      )
    await audit(tx, actor, { action: 'changed', subject: 'campaign', id, before: { state }, after: { state: to } })
    return { ok: true }
  })
}

/** Pauses the campaigns of authors who may no longer send any: their accounts are disabled, or have another role. The audit log says so. */
export async function pauseOrphaned(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number; role: Role; is_disabled: boolean }>`
    select c.id, u.role, u.disabled_at is not null as is_disabled from campaigns c join users u on u.id = c.started_by
    where c.state = 'running' order by c.id`.execute(db)
  for (const { id } of rows.filter(({ role, is_disabled }) => is_disabled || !can(role, 'campaigns.send'))) await pause(db, id, 'author')
}

/** A campaign that has not begun this long after its time may be about a day that has passed. */
const LATE_MS = DAY_MS

/**
 * Pauses the campaigns that nobody has been sent a day after their time: the shop was down, or had no provider. One that waits because other
 * campaigns, or SMS about orders, use up `share`, the parts that campaigns may bring a day to, goes on. The audit log says so.
 */
export async function pauseLate(db: Db, now: Date, share: number): Promise<void> {
  const before = new Date(now.getTime() - LATE_MS)
  const hasBegun = (id: ReturnType<typeof sql>) =>
    sql`exists (select 1 from campaign_people p where p.campaign_id = ${id} and p.state <> 'waiting')`
  // The share of yesterday counts, because none is sent in the quiet hours after midnight. An SMS has up to six parts.
  const isUsedUp = sql`exists (select 1 from sms_days where day >= ${DHAKA_TODAY} - 1 and sent > greatest(0, ${share - MAX_SMS_PARTS}::int))`
  const { rows } = await sql<{
    id: number
  }>`select id from campaigns c where state = 'running' and starts_at < ${before} and not ${isUsedUp}
    and not ${hasBegun(sql`c.id`)} and not exists (select 1 from campaigns o
      where o.id <> c.id and (o.state = 'running' or o.finished_at > ${before}) and ${hasBegun(sql`o.id`)})
    order by id`.execute(db)
  for (const { id } of rows) await pause(db, id, 'late')
}

/** Pauses a running campaign without a person. */
async function pause(db: Db, id: number, why: 'author' | 'late'): Promise<void> {
  await inTransaction(db, async (tx) => {
    const paused = await sql`update campaigns set state = 'paused' where id = ${id} and state = 'running'`.execute(tx)
    if (Number(paused.numAffectedRows ?? 0) === 0) return
    await withdrawQueued(tx, id)
    const after = { state: 'paused', why }
    await audit(tx, null, { action: 'changed', subject: 'campaign', id, before: { state: 'running' }, after })
  })
}

/** A sender that has claimed a row locks it first: its state is not `queued` any more when the lock ends. */
async function withdrawQueued(tx: Db, id: number): Promise<void> {
  await sql`with withdrawn as (delete from sms_outbox where campaign_id = ${id} and state = 'queued' returning phone, parts),
      people as (update campaign_people p set state = 'waiting' from withdrawn w where p.campaign_id = ${id} and p.phone = w.phone)
    update campaigns set parts_used = parts_used - (select coalesce(sum(parts), 0) from withdrawn) where id = ${id}`.execute(tx)
}
