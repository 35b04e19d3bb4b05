import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Expiry, restartedDeadline } from '#features/payments/deadline-rules.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { type Gateway, type GatewayName, MAX_FAILURE_LENGTH, type PaymentRequest } from '#features/payments/gateway.ts'
import {
  findAttempt,
  findPayableOrder,
  listAttempts,
  listLineNames,
  lockOrderRow,
  type Attempt,
  type PayableOrder,
} from '#features/payments/queries.server.ts'
import { gatewayBounds } from '#features/payments/rules.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { pagePayable } from '#features/payments/payment-verification-rules.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db/db.server.ts'
import { ulid } from '#lib/ids/ids.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { truncate } from '#lib/format/text.ts'

export type StartError =
  | 'no-such-order'
  | 'order-ended'
  | 'nothing-to-pay'
  /** The page of the order showed another amount due. */
  | 'due-changed'
  /** A reported advance is not verified yet; the customer must not pay the same sum twice. */
  | 'advance-reported'
  /** The order has as many payment pages as it may have. */
  | 'too-many-attempts'
  | 'no-gateway'
  | 'below-gateway-minimum'
  | 'above-gateway-maximum'
  | 'gateway-refused'
  | 'gateway-silent'

export type StartResult = { ok: true; redirectUrl: string } | { ok: false; reason: StartError }

/** `gateway`: by default that of the order. `due`: to pay the rest, the amount due that the payer saw. */
export interface Payment {
  gateway?: GatewayName | undefined
  due?: Poisha | undefined
}

/** The time for which a concurrent call waits for the session that another call opens. */
const SESSION_TIMEOUT_MS = 35_000
/** The gateway is asked about each page of an order before another one opens, before the order expires, and by the job for a day. */
const MAX_PAGES = 20
/** Sessions that the gateway refused included. A repeated order request asks for another one, and counts in no limit of requests. */
const MAX_ATTEMPTS = MAX_PAGES + 100

/**
 * Opens a payment page for an order. Takes the attempt that was written with the order or writes a new one, commits, then calls the
 * gateway. Concurrent calls (a double click) get the same URL. The order stores the gateway of its last attempt to pay the promised part. After
 * an error the order is unchanged and can be paid again until it expires.
 */
export async function startPayment(deps: PaymentDeps, orderId: number, payment: Payment = {}): Promise<StartResult> {
  const taken = await takeAttempt(deps, orderId, payment)
  if (!taken.ok) return taken
  const { attempt, gateway, order } = taken
  return (await claim(deps, attempt)) ? openSession(deps, gateway, order, attempt) : awaitSession(deps, attempt)
}

type Taken = { ok: true; attempt: Attempt; gateway: Gateway; order: PayableOrder } | { ok: false; reason: StartError }

/** The attempt that this call or a concurrent one has just written for the order. */
async function takeAttempt(deps: PaymentDeps, orderId: number, { gateway: requested, due }: Payment): Promise<Taken> {
  const { expiry } = await deps.shopCache.settings()
  return inTransaction(deps.db, async (tx): Promise<Taken> => {
    // Read after the lock: a concurrent change of the payment method changes the sum.
    await lockOrderRow(tx, orderId)
    const order = await findPayableOrder(tx, orderId)
    if (!order) return { ok: false, reason: 'no-such-order' }
    const isRest = due !== undefined
    const amount = pagePayable(order, { isRest })
    const name = requested ?? (order.gateway === 'NONE' ? deps.gateways.default : order.gateway)
    const gateway = name ? deps.gateways[name] : undefined
    const reason = findStartError(order, amount, due ?? amount)
    if (reason) return { ok: false, reason }
    if (!gateway) return { ok: false, reason: 'no-gateway' }
    if (order.waitingAdvances > 0) return { ok: false, reason: 'advance-reported' }
    const page = { orderId, gateway: gateway.name, amount, isRest }
    const attempts = await listAttempts(tx, orderId)
    const latest = attempts[0]
    if (latest && isSamePage(latest, page) && isRecent(latest, deps.now())) return { ok: true, attempt: latest, gateway, order }
    if (attempts.length >= MAX_ATTEMPTS || attempts.filter(hasPage).length >= MAX_PAGES) return { ok: false, reason: 'too-many-attempts' }
    if (!isRest) await chooseGateway(tx, order, gateway.name, { now: deps.now(), expiry })
    const attempt = await writeAttempt(tx, page, deps.now())
    return { ok: true, attempt, gateway, order }
  })
}

function findStartError(order: PayableOrder, amount: Poisha, seen: Poisha): StartError | null {
  if (isEnded(order.status)) return 'order-ended'
  if (amount === 0) return 'nothing-to-pay'
  return gatewayBounds(amount) ?? (amount === seen ? null : 'due-changed')
}

/** False when the gateway gave no page: nothing can be paid there. */
const hasPage = ({ state, gatewayRef }: Attempt) => state !== 'failed' || gatewayRef !== null

interface PageToOpen {
  orderId: number
  gateway: GatewayName
  amount: Poisha
  isRest: boolean
}

const isSamePage = (attempt: Attempt, { gateway, amount, isRest }: PageToOpen) =>
  attempt.gateway === gateway && attempt.amountPoisha === amount && attempt.isRest === isRest

/** Whether the attempt is so recent that a second call is a double click. */
function isRecent(attempt: Attempt, now: Date): boolean {
  const isOpen = attempt.state === 'initiated' || (attempt.state === 'pending' && attempt.failure === null)
  return isOpen && now.getTime() - attempt.createdAt.getTime() < SESSION_TIMEOUT_MS
}

/** True for one of several concurrent calls: that call opens the session. */
async function claim(deps: PaymentDeps, attempt: Attempt): Promise<boolean> {
  const { numUpdatedRows } = await deps.db
    .updateTable('payment_attempts')
    .set({ state: 'pending', updated_at: deps.now() })
    .where('id', '=', attempt.id)
    .where('state', '=', 'initiated')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function awaitSession(deps: PaymentDeps, attempt: Attempt): Promise<StartResult> {
  for (let waited = 0; waited < SESSION_TIMEOUT_MS; waited += 100) {
    const now = await findAttempt(deps.db, attempt.id)
    if (now?.redirectUrl) return { ok: true, redirectUrl: now.redirectUrl }
    if (now?.failure) return { ok: false, reason: now.state === 'failed' ? 'gateway-refused' : 'gateway-silent' }
    // Expired before its session was opened: the order has been cancelled concurrently.
    if (now?.state === 'expired') return { ok: false, reason: 'order-ended' }
    await sleep(100)
  }
  return { ok: false, reason: 'gateway-silent' }
}

/** Stores the gateway of the promised payment with the order, and gives it the full time to pay. */
async function chooseGateway(
  tx: Db,
  order: PayableOrder,
  gateway: GatewayName,
  { now, expiry }: { now: Date; expiry: Expiry },
): Promise<void> {
  const until = restartedDeadline(now, order.placedAt, 'gateway', expiry)
  await sql`update orders set payment_gateway = ${gateway},
      expires_at = case when expires_at is not null then greatest(expires_at, ${until}) end
    where id = ${order.id} and (expires_at is not null or payment_gateway <> ${gateway})`.execute(tx)
}

async function writeAttempt(tx: Db, { orderId, gateway, amount, isRest }: PageToOpen, now: Date): Promise<Attempt> {
  const tranId = ulid(now)
  const { id } = await tx
    .insertInto('payment_attempts')
    .values({ order_id: orderId, gateway, tran_id: tranId, amount_poisha: amount, is_rest: isRest, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return (await findAttempt(tx, id))!
}

async function openSession(deps: PaymentDeps, gateway: Gateway, order: PayableOrder, attempt: Attempt): Promise<StartResult> {
  const session = await createSession(deps, gateway, order, attempt)
  // Expired while its session was opened: the order has been cancelled concurrently, and its page must not take money.
  if (session.ok) return session.state === 'expired' ? { ok: false, reason: 'order-ended' } : { ok: true, redirectUrl: session.redirectUrl }
  deps.log.warn({ orderId: order.id, gateway: gateway.name, reason: session.reason, detail: session.detail }, 'payment session not opened')
  // After a timeout the session may exist at the gateway, so the attempt stays open and is reconciled later.
  const isTimeout = session.reason === 'unknown' && session.detail === 'timeout'
  await deps.db
    .updateTable('payment_attempts')
    .where('id', '=', attempt.id)
    .set({ state: isTimeout ? 'pending' : 'failed', failure: truncate(session.detail, MAX_FAILURE_LENGTH), updated_at: deps.now() })
    .where('state', '=', 'pending')
    .execute()
  return { ok: false, reason: session.reason === 'rejected' ? 'gateway-refused' : 'gateway-silent' }
}

/** Creates a session at the gateway and stores it. One of another attempt is rejected: its page would pay for that one. */
async function createSession(deps: PaymentDeps, gateway: Gateway, order: PayableOrder, attempt: Attempt) {
  const session = await gateway.createSession(await requestFor(deps, order, attempt))
  if (!session.ok) return session
  const { redirectUrl, gatewayRef } = session
  const update = deps.db.updateTable('payment_attempts').where('id', '=', attempt.id)
  try {
    const opened = { redirect_url: redirectUrl, gateway_ref: gatewayRef, updated_at: deps.now() }
    const stored = await update.set(opened).returning('state').executeTakeFirstOrThrow()
    return { ok: true, redirectUrl, state: stored.state } as const
  } catch (error) {
    if (constraintOf(error) !== 'payment_attempts_ref') throw error
    return { ok: false, reason: 'rejected', detail: 'session of another attempt' } as const
  }
}

async function requestFor(deps: PaymentDeps, order: PayableOrder, attempt: Attempt): Promise<PaymentRequest> {
  const productNames = await listLineNames(deps.db, order.id)
  return {
    tranId: attempt.tranId,
    orderId: order.id,
    amountPoisha: attempt.amountPoisha,
    customer: { name: order.name, email: order.email, phone: order.phone, address: order.address, city: order.area },
    productNames,
    itemCount: productNames.length,
    returnUrls: returnUrls(deps.env.publicUrl, attempt.gateway),
  }
}

function returnUrls(publicUrl: string, gateway: GatewayName): PaymentRequest['returnUrls'] {
  if (gateway === 'bkash') {
    const callback = `${publicUrl}/payments/bkash/callback`
    return { success: callback, fail: callback, cancel: callback, notify: callback }
  }
  const at = `${publicUrl}/payments/sslcommerz`
  return { success: `${at}/success`, fail: `${at}/fail`, cancel: `${at}/cancel`, notify: `${at}/ipn` }
}
