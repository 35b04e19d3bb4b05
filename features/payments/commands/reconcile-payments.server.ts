import { sql } from 'kysely'
import { queryGateway, type AttemptStatus } from './record-outcome.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { OPEN_ATTEMPT_STATES } from '#features/payments/payment-status.ts'
import { sumOfRefundsUnderWay } from '#features/payments/refunds/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { findAttempt, findPayableOrder, IS_OPEN_ATTEMPT, listAttempts, type Attempt } from '#features/payments/queries.server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const MIN_AGE_MS = 3 * MINUTE
const MAX_BATCH = 20
/** Orders whose gateways are asked at once: a gateway that hangs for half a minute on each must not keep all others waiting. */
export const ASKED_AT_ONCE = 4

/**
 * Queries the gateways about open attempts: lost notifications, closed browsers, gateways out of reach. The interval grows with the age of
 * the attempt; after a day the attempt expires. Several processes may run it concurrently. The error of an attempt is thrown after the
 * others. Returns the number of attempts queried.
 */
export async function reconcilePayments(deps: PaymentDeps, { limit = MAX_BATCH }: { limit?: number } = {}): Promise<number> {
  const now = deps.now()
  const ids = await claimDue(deps, new Date(now.getTime() - MIN_AGE_MS), limit)
  const query = async (id: number) => {
    const attempt = await findAttempt(deps.db, id)
    if (!attempt) return
    const status = await queryGateway(deps, attempt)
    if (status !== 'unknown') await noteAnswer(deps, attempt, status)
    if (now.getTime() - attempt.createdAt.getTime() > 24 * HOUR) await expire(deps, attempt, status)
  }
  await runEach(ids, query, ASKED_AT_ONCE)
  return ids.length
}

/** How far back ended and paid attempts are looked for: as long as the shop may have been down. */
const LOOK_BACK_MS = 3 * 24 * HOUR

/**
 * Claims due attempts by setting `updated_at`. Ended attempts are due until an answer at the age of a day, because a shopper may pay on a page
 * that is still open. A paid or rejected one of SSLCommerz is due until an answer after an hour: a second payment on its page may have lost its notification.
 */
async function claimDue(deps: PaymentDeps, before: Date, limit: number): Promise<number[]> {
  const now = deps.now()
  const { rows } = await sql<{ id: number }>`
    with candidates as (
      select id from payment_attempts where ${IS_OPEN_ATTEMPT} and created_at < ${before}
      union
      select id from payment_attempts
      where state in ('failed', 'expired') and gateway_ref is not null and created_at between ${new Date(now.getTime() - LOOK_BACK_MS)} and ${before}
        and coalesce(answered_at, created_at) < created_at + interval '1 day'
      union
      select id from payment_attempts where state in ('paid', 'refused') and gateway = 'sslcommerz'
        and created_at between ${new Date(now.getTime() - LOOK_BACK_MS)} and ${new Date(now.getTime() - HOUR)}
        and coalesce(answered_at, created_at) < created_at + interval '1 hour'
    ), due as (
      select a.id from payment_attempts a join candidates using (id)
      where a.updated_at < ${now}::timestamptz - greatest(interval '2 minutes', (${now}::timestamptz - a.created_at) / 3)
      order by a.updated_at limit ${limit} for update of a skip locked
    )
    update payment_attempts a set updated_at = ${now} from due where a.id = due.id returning a.id`.execute(deps.db)
  return rows.map((row) => row.id)
}

/**
 * Notes a clear answer, after which a question may be the last one. Not for an attempt that changed meanwhile: its payment is newer than the answer.
 */
async function noteAnswer({ db, now }: PaymentDeps, attempt: Attempt, status: AttemptStatus): Promise<void> {
  const state = status === 'paid' ? 'paid' : attempt.state
  await db.updateTable('payment_attempts').set({ answered_at: now() }).where('id', '=', attempt.id).where('state', '=', state).execute()
}

async function expire(deps: PaymentDeps, attempt: Attempt, status: AttemptStatus): Promise<void> {
  if (status === 'waiting') await expireOpen(deps.db, deps.now()).where('id', '=', attempt.id).execute()
}

/** The update that expires open attempts, to be narrowed by the caller. */
const expireOpen = (db: Db, now: Date) =>
  db.updateTable('payment_attempts').set({ state: 'expired', updated_at: now }).where('state', 'in', OPEN_ATTEMPT_STATES)

/** `attempts`: the ids of all attempts whose gateways were asked. `free: false` names the reason why the order still waits. */
export type ExpiryCheck = { free: true; attempts: number[] } | { free: false; reason: 'paid' | 'review' | 'in-flight' | 'unknown' }

/** Time after the last attempt for which stock stays reserved while a payment is processed, or a gateway is out of reach. */
const GRACE_PERIOD = { 'in-flight': 24 * HOUR, unknown: 3 * HOUR }

/**
 * The last check before an unpaid order is cancelled and its stock released. It calls the gateways, so never call it inside a transaction.
 * Where it is `free`, the caller locks the order, looks for a page that `hasNewAttempt`, and calls `expireAttempts` with what it writes; a
 * payment that comes later is recorded and flagged for the staff.
 */
export async function checkBeforeExpiry(deps: PaymentDeps, orderId: number): Promise<ExpiryCheck> {
  const attempts = await listAttempts(deps.db, orderId)
  const statuses: AttemptStatus[] = []
  for (const attempt of attempts) statuses.push(await currentStatus(deps, attempt))
  // Before the order: a refund that is carried out between the two reads counts twice, not never.
  const refunds = await sumOfRefundsUnderWay(deps.db, orderId)
  const order = await findPayableOrder(deps.db, orderId)
  if (!order) return { free: true, attempts: [] }
  // An order with a payment never expires; one whose money goes back waits for the answer about the refund.
  if (order.paidPoisha > 0) return { free: false, reason: refunds >= order.paidPoisha ? 'in-flight' : 'paid' }
  if (statuses.includes('review')) return { free: false, reason: 'review' }
  const waitedMs = deps.now().getTime() - (attempts[0]?.createdAt ?? order.placedAt).getTime()
  for (const reason of ['in-flight', 'unknown'] as const) {
    if (statuses.includes(reason) && waitedMs < GRACE_PERIOD[reason]) return { free: false, reason }
  }
  return { free: true, attempts: attempts.map(({ id }) => id) }
}

/** Whether a payment page of the locked order is open that was not asked about: it was opened during the queries, and may take money. */
export async function hasNewAttempt(tx: Db, orderId: number, asked: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select 1 from payment_attempts
    where order_id = ${orderId} and id <> all(${asked}::bigint[]) and ${IS_OPEN_ATTEMPT} limit 1`.execute(tx)
  return rows.length > 0
}

/** Expires the open ones among the attempts that were asked about, in the transaction that ends their order or changes its payment. */
export async function expireAttempts(tx: Db, asked: readonly number[], now: Date): Promise<void> {
  if (asked.length > 0) await expireOpen(tx, now).where('id', 'in', asked).execute()
}

async function currentStatus(deps: PaymentDeps, attempt: Attempt): Promise<AttemptStatus> {
  if (attempt.state === 'paid' || attempt.state === 'review') return attempt.state
  // The staff rejected this payment; its money is being refunded.
  if (attempt.state === 'refused') return 'refused'
  // The session was never opened, so it cannot be paid.
  if (attempt.gatewayRef === null && attempt.state === 'failed') return 'failed'
  return queryGateway(deps, attempt)
}
