import { sql } from 'kysely'
import { retryWaitSeconds } from '#lib/async/retry-wait.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { deleteInBatches } from '#lib/db/delete-in-batches.server.ts'
import type { EmailOutcome } from './gateway.ts'

// The statements of the email job. All times come from the database's clock, because processes on several machines share the rows.

/** What an alarm reports; empty for an email of an order. Rows may be of a version with other alarms. */
export type EmailDetail = { alarm?: string; count?: number }

export interface ClaimedEmail {
  id: number
  event_key: string
  kind: 'order-placed' | 'payment-received' | 'alarm'
  order_id: number | null
  recipient: string
  detail: EmailDetail
  attempts: number
  created_at: Date
}

/** A row in state `sending` for longer than any attempt takes belongs to a process that has ended. It is sent again, with the same id. */
const LEASE_SECONDS = 180
/** Orders become visible in another sequence than their times. No order is written later than this after its time. */
const OVERLAP_SECONDS = 120
/** The confirmation of an order that is paid online waits, so that it usually reports the payment. */
const WAIT_FOR_PAYMENT_SECONDS = 180
const RETENTION_DAYS = 90
/** Every visitor may state any address, so that many orders could fill a stranger's mailbox. */
const MAX_UNPAID_CONFIRMATIONS_A_DAY = 5

/** Records at the start whether email is configured. Orders placed before it was get no mail. */
export async function recordEmailGateway(db: Db, hasGateway: boolean): Promise<void> {
  await sql`update email_state set enabled_at = case when ${hasGateway} then coalesce(enabled_at, now()) end
    where (enabled_at is not null) <> ${hasGateway}`.execute(db)
}

/**
 * Queues the confirmations of new orders with an address, each once. Reads the orders since the last run by the index on their time, at
 * most an hour of them a run, so orders themselves pay nothing for email (decision 39). Of several processes one runs it at a time.
 */
export function queueConfirmations(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ after: Date; until: Date }>`
      select greatest(scanned_until - make_interval(secs => ${OVERLAP_SECONDS}), enabled_at, now() - interval '1 day') as after,
        least(now(), greatest(scanned_until, now() - interval '1 day') + interval '1 hour') as until
      from email_state where enabled_at is not null for update skip locked`.execute(tx)
    const span = rows[0]
    if (!span) return 0
    const queued = await sql`
      insert into email_outbox (event_key, kind, order_id, recipient, not_before, expires_at)
      select 'order-placed-' || o.id, 'order-placed', o.id, o.email,
        o.placed_at + make_interval(secs => case when o.payment_gateway = 'NONE' then 0 else ${WAIT_FOR_PAYMENT_SECONDS} end), o.placed_at + interval '1 day'
      from orders o where o.placed_at > ${span.after} and o.placed_at <= ${span.until} and o.email <> '' and o.source <> 'pos'
        and not exists (select 1 from email_outbox e where e.event_key = 'order-placed-' || o.id)
      on conflict (event_key) do nothing`.execute(tx)
    const count = Number(queued.numAffectedRows ?? 0)
    if (count > 0) await skipRepeated(tx)
    await sql`update email_state set scanned_until = ${span.until}`.execute(tx)
    return count
  })
}

/** Mail services ignore dots before the @ and what follows a plus sign. */
const MAILBOX = sql`replace(split_part(split_part(lower(e.recipient), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(e.recipient), '@', 2)`

/** Leaves out what is beyond the limit of a mailbox. Orders by staff and paid orders do not count. The lock of `email_state` is held. */
async function skipRepeated(tx: Db): Promise<void> {
  await sql`
    with confirmation as (
      select e.id, row_number() over (partition by ${MAILBOX} order by e.id) as number
      from email_outbox e join orders o on o.id = e.order_id
      where e.created_at > now() - interval '1 day' and e.kind = 'order-placed' and e.state <> 'skipped'
        and o.source <> 'admin' and amount_received(o) <= 0)
    update email_outbox e set state = 'skipped', failure = 'repeat', updated_at = now() from confirmation c
    where e.id = c.id and e.state = 'queued' and c.number > ${MAX_UNPAID_CONFIRMATIONS_A_DAY}`.execute(tx)
}

/** Claims the next due email; null when there is none. Each is claimed by one process. */
export async function claimEmail(db: Db): Promise<ClaimedEmail | null> {
  const { rows } = await sql<ClaimedEmail>`
    update email_outbox set state = 'sending', attempts = attempts + 1, updated_at = now()
    where id = (select id from email_outbox where state = 'queued' and not_before <= now() and expires_at > now()
      order by not_before, id for update skip locked limit 1)
    returning id, event_key, kind, order_id, recipient, detail, attempts, created_at`.execute(db)
  return rows[0] ?? null
}

/**
 * Records the end of an attempt. A row that was claimed again in the meantime stays as it is. A sent email has the time of its claim: what came
 * later is not in its text.
 */
export async function recordEmailOutcome(
  db: Db,
  email: ClaimedEmail,
  outcome: EmailOutcome | { state: 'skipped'; code: string },
): Promise<void> {
  const isMine = sql`id = ${email.id} and state = 'sending' and attempts = ${email.attempts}`
  if (outcome.state === 'later') {
    await sql`update email_outbox set state = 'queued', failure = ${outcome.code}, updated_at = now(),
      not_before = now() + make_interval(secs => ${retryWaitSeconds(email.attempts)}) where ${isMine}`.execute(db)
    return
  }
  const state = outcome.state === 'refused' ? 'failed' : outcome.state
  const failure = outcome.state === 'sent' ? null : outcome.code
  await sql`update email_outbox set state = ${state}, failure = ${failure},
    updated_at = case when ${state} = 'sent' then updated_at else now() end where ${isMine}`.execute(db)
}

/** Fails expired emails, and returns those of ended processes to the queue. */
export async function endOldEmails(db: Db): Promise<void> {
  await sql`update email_outbox set state = 'queued', not_before = now(), updated_at = now()
    where state = 'sending' and updated_at < now() - make_interval(secs => ${LEASE_SECONDS})`.execute(db)
  await sql`update email_outbox set state = 'failed', failure = coalesce(failure, 'expired'), updated_at = now()
    where state = 'queued' and expires_at <= now()`.execute(db)
}

/** Deletes old rows, also in a shop that sends no more email. */
export async function deleteOldEmails(db: Db): Promise<void> {
  await deleteInBatches((limit) =>
    sql`delete from email_outbox where ctid = any(array(select ctid from email_outbox where created_at < now() - make_interval(days => ${RETENTION_DAYS}) limit ${limit}))`.execute(
      db,
    ),
  )
}

/**
 * Whether the email of a payment says nothing new: the confirmation of its order reports the payment because it is sent later, or was
 * made after it.
 */
export async function isInConfirmation(db: Db, email: ClaimedEmail): Promise<boolean> {
  const { rows } = await sql`select 1 from email_outbox where order_id = ${email.order_id} and kind = 'order-placed'
    and (state = 'queued' or (state = 'sent' and updated_at > ${email.created_at}))`.execute(db)
  return rows.length > 0
}
