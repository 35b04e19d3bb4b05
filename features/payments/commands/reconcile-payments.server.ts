import { sql } from 'kysely'
import { queryGateway, type Standing } from './record-outcome.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { findAttempt, findPayableOrder, listAttempts, type Attempt } from '#features/payments/queries.server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export type DeleteUploadsOptions = { olderThanMinutes?: number; most?: number }

/**
 * Asks the gateways about payments that nobody has spoken of since: lost notifications, closed browsers, hours without an
 * answer. The older the attempt, the rarer the question; after a day it is over. Several processes share the work.
 */
export async function reconcilePayments(
  deps: PaymentDeps,
  { olderThanMinutes = 3, most = 20 }: DeleteUploadsOptions = {},
): Promise<number> {
  const now = deps.now()
  const ids = await takeDue(deps, new Date(now.getTime() - olderThanMinutes * MINUTE), most)
  for (const id of ids) {
    const attempt = await findAttempt(deps.db, id)
    if (!attempt) continue
    const standing = await queryGateway(deps, attempt)
    if (now.getTime() - attempt.createdAt.getTime() > 24 * HOUR) await close(deps, attempt, standing)
  }
  return ids.length
}

/**
 * Claims what is due by stamping it. Ended attempts are looked at for a day too: a shopper may pay on a page that was left
 * open, and that money must not be lost.
 */
async function takeDue(deps: PaymentDeps, before: Date, most: number): Promise<number[]> {
  const now = deps.now()
  const { rows } = await sql<{ id: number }>`
    with candidates as (
      select id from payment_attempts where state in ('initiated', 'pending') and created_at < ${before}
      union
      select id from payment_attempts
      where state in ('failed', 'expired') and gateway_ref is not null and created_at between ${new Date(now.getTime() - 24 * HOUR)} and ${before}
    ), due as (
      select a.id from payment_attempts a join candidates using (id)
      where a.updated_at < ${now}::timestamptz - greatest(interval '2 minutes', (${now}::timestamptz - a.created_at) / 3)
      order by a.updated_at limit ${most} for update of a skip locked
    )
    update payment_attempts a set updated_at = ${now} from due where a.id = due.id returning a.id`.execute(deps.db)
  return rows.map((row) => row.id)
}

async function close(deps: PaymentDeps, attempt: Attempt, standing: Standing): Promise<void> {
  if (standing !== 'waiting') return
  await sql`update payment_attempts set state = 'expired', updated_at = ${deps.now()} where id = ${attempt.id} and state in ('initiated', 'pending')`.execute(
    deps.db,
  )
}

export type ExpiryCheck = { free: true } | { free: false; reason: 'paid' | 'review' | 'in-flight' | 'unknown' }

/** How long after its last attempt an order keeps its goods while a bank works on the money, or a gateway is out of reach. */
const TIMEOUT = { 'in-flight': 24 * HOUR, unknown: 3 * HOUR }

/**
 * The last question before an unpaid order is cancelled and its goods freed. Never call it inside a transaction: it asks the
 * gateways. `free: true` has closed the order's open attempts; a payment that comes later still is kept and shown to the staff.
 */
export async function checkBeforeExpiry(deps: PaymentDeps, orderId: number): Promise<ExpiryCheck> {
  const attempts = await listAttempts(deps.db, orderId)
  const standings: Standing[] = []
  for (const attempt of attempts) standings.push(await standingOf(deps, attempt))
  const order = await findPayableOrder(deps.db, orderId)
  if (!order) return { free: true }
  // An order with money in it is never ended by a clock.
  if (order.paidPoisha > 0) return { free: false, reason: 'paid' }
  if (standings.includes('review')) return { free: false, reason: 'review' }
  const waitedMs = deps.now().getTime() - (attempts[0]?.createdAt ?? order.placedAt).getTime()
  for (const reason of ['in-flight', 'unknown'] as const) {
    if (standings.includes(reason) && waitedMs < TIMEOUT[reason]) return { free: false, reason }
  }
  await sql`update payment_attempts set state = 'expired', updated_at = ${deps.now()}
    where order_id = ${orderId} and state in ('initiated', 'pending')`.execute(deps.db)
  return { free: true }
}

async function standingOf(deps: PaymentDeps, attempt: Attempt): Promise<Standing> {
  if (attempt.state === 'paid' || attempt.state === 'review') return attempt.state
  // The money of a payment that the staff refused is on its way back.
  if (attempt.state === 'refused') return 'refused'
  // A session that was never opened cannot have been paid.
  if (attempt.gatewayRef === null && attempt.state === 'failed') return 'failed'
  return queryGateway(deps, attempt)
}
