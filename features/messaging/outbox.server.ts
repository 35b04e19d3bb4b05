import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { DHAKA_TODAY, dhakaDay } from '#lib/db/dhaka-day.server.ts'
import { MAX_ATTEMPTS, usesUpAttempt, waitSeconds } from './provider-response-rules.ts'
import type { SmsOutcome, SmsProblem } from './gateway.ts'
import { MASKED_BODY } from './masked-body.server.ts'

// The statements of the sender. All times come from the database's clock, because processes on several machines share the rows.

/** What may be sent on a day without codes: messages, and the SMS parts up to which campaigns are sent (0 in quiet hours). */
export interface SmsLimits {
  daily: number
  campaign: number
}

export type ClaimedSms = { id: number; phone: string; body: string; purpose: string; attempts: number; parts: number }

/** Seconds without sending after a problem. */
const PAUSE: Record<SmsProblem, number> = { balance: 300, account: 300, unreachable: 30 }
/** So many calls in a row without a readable answer are an outage. Each costs a message, which is never sent again. */
const MAX_UNKNOWN = 3
const OUTAGE_SECONDS = 300
/** A row in state `sending` for longer than any call takes belongs to a process that has ended. */
const CALL_SECONDS = 60

/** The body after sending. */
const withoutCode = (storesCodes: boolean) => (storesCodes ? sql`body` : MASKED_BODY)

/**
 * Claims the next message for sending, codes first; null when there is none, or sending is paused. Each message is claimed once.
 * A `skipped` message is not sent. The SQL function `claim_next_sms` holds the rules of repeats, opt-outs and limits.
 */
export async function claimSms(db: Db, limits: SmsLimits): Promise<(ClaimedSms & { skipped: boolean }) | null> {
  const { rows } = await sql<
    ClaimedSms & { skipped: boolean }
  >`/*prepared claim_next_sms*/ select * from claim_next_sms(${limits.daily}::integer, ${limits.campaign}::integer)`.execute(db)
  return rows[0] ?? null
}

/** Records that the daily limit is used up while messages wait. True once a day, in one process. */
export async function recordUsedUpBudget(db: Db, dailyLimit: number): Promise<boolean> {
  const { rows } = await sql`
    update sms_days set alarmed_at = now() where day = ${DHAKA_TODAY} and sent >= ${dailyLimit} and alarmed_at is null
      and exists (select 1 from sms_outbox where state = 'queued' and purpose = 'order' and sent_by is null)
    returning day`.execute(db)
  return rows.length > 0
}

/** Records the outcome of a message. True when it reveals a new problem of the provider. */
export async function recordSmsOutcome(db: Db, sms: ClaimedSms, outcome: SmsOutcome, storesCodes: boolean): Promise<boolean> {
  switch (outcome.state) {
    case 'submitted':
      await end(db, sms, { state: 'submitted', reference: outcome.reference }, storesCodes)
      await sql`update sms_provider set problem = null, problem_since = null, paused_until = null where problem is not null`.execute(db)
      return false
    case 'unknown':
      await end(db, sms, { state: 'unknown', failure: outcome.detail }, storesCodes)
      return outcome.detail !== 'aborted' && (await isOutage(db)) ? pause(db, 'unreachable', OUTAGE_SECONDS) : false
    case 'rejected':
      return reject(db, sms, outcome, storesCodes)
  }
}

interface SmsEnd {
  state: 'submitted' | 'unknown' | 'failed'
  failure?: string | null
  reference?: string | null
}

async function end(db: Db, sms: ClaimedSms, { state, failure = null, reference = null }: SmsEnd, storesCodes: boolean) {
  await sql`update sms_outbox set state = ${state}, failure = ${failure}, provider_ref = ${reference}, updated_at = now(), body = ${withoutCode(storesCodes)}
    where id = ${sms.id} and state = 'sending' and attempts = ${sms.attempts}`.execute(db)
}

async function reject(db: Db, sms: ClaimedSms, { code, canRetry, problem }: SmsOutcome & { state: 'rejected' }, storesCodes: boolean) {
  // Nothing was sent, so the message does not count in the budget of the day on which it was claimed, which may be over.
  if (sms.purpose !== 'code')
    await sql`update sms_days d set sent = greatest(0, d.sent - ${sms.parts}) from sms_outbox s
      where s.id = ${sms.id} and s.state = 'sending' and s.attempts = ${sms.attempts} and d.day = ${dhakaDay(sql`s.updated_at`)}`.execute(
      db,
    )
  const counts = usesUpAttempt({ problem, code })
  // Staff cannot resend an SMS of a campaign, so it is tried until it expires.
  const isFinal = !canRetry || (counts && sms.purpose !== 'campaign' && sms.attempts >= MAX_ATTEMPTS)
  if (isFinal) await end(db, sms, { state: 'failed', failure: code }, storesCodes)
  else {
    const wait = Math.max(waitSeconds(counts ? sms.attempts : 1), problem === null ? 0 : PAUSE[problem])
    await sql`update sms_outbox set state = 'queued', failure = ${code}, attempts = attempts - ${counts ? 0 : 1}, updated_at = now(),
        not_before = now() + make_interval(secs => ${wait})
      where id = ${sms.id} and state = 'sending' and attempts = ${sms.attempts}`.execute(db)
  }
  return problem === null ? false : pause(db, problem)
}

/** Whether the last calls brought no readable answer. Those of ended processes do not count. */
async function isOutage(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_outage: boolean }>`
    select count(*) = ${MAX_UNKNOWN} and bool_and(state = 'unknown' and updated_at > now() - interval '1 hour') as is_outage from (
      select state, updated_at from sms_outbox where state in ('submitted', 'unknown') and failure is distinct from 'interrupted'
      order by id desc limit ${MAX_UNKNOWN}) last`.execute(db)
  return rows[0]!.is_outage
}

/** Whether the provider had a problem at the last call. Then a single message tries whether it is over. */
export async function hasSmsProblem(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from sms_provider where problem is not null`.execute(db)
  return rows.length > 0
}

async function pause(db: Db, problem: SmsProblem, seconds = PAUSE[problem]): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    update sms_provider set problem = ${problem}, problem_since = case when problem = ${problem} then problem_since else now() end,
      paused_until = now() + make_interval(secs => ${seconds})
    returning problem_since = now() as is_new`.execute(db)
  return rows[0]?.is_new ?? false
}

/** Records whether a gateway is configured; the admin shows it. */
export async function recordGatewayState(db: Db, hasGateway: boolean): Promise<void> {
  const [now, since] = hasGateway ? [sql`null`, sql`null`] : [sql`'not-configured'`, sql`now()`]
  await sql`update sms_provider set problem = ${now}, problem_since = ${since}, paused_until = null
    where (problem is not distinct from 'not-configured') = ${hasGateway}`.execute(db)
}

/**
 * Fails expired messages, and marks those that a killed process was sending as unknown: they may have been sent. Returns both numbers. In a shop
 * that sends none an expired message is skipped: nothing failed, and staff can do nothing about it.
 */
export async function endOldSms(
  db: Db,
  { storesCodes, canSend }: { storesCodes: boolean; canSend: boolean },
): Promise<{ expired: number; interrupted: number }> {
  const [state, failure] = canSend ? ['failed', 'expired'] : ['skipped', 'not-configured']
  const expired =
    await sql`update sms_outbox set state = ${state}, failure = ${failure}, updated_at = now(), body = ${withoutCode(storesCodes)}
    where state = 'queued' and expires_at <= now()`.execute(db)
  const interrupted =
    await sql`update sms_outbox set state = 'unknown', failure = 'interrupted', updated_at = now(), body = ${withoutCode(storesCodes)}
    where state = 'sending' and updated_at < now() - make_interval(secs => ${CALL_SECONDS})`.execute(db)
  return { expired: Number(expired.numAffectedRows ?? 0), interrupted: Number(interrupted.numAffectedRows ?? 0) }
}
