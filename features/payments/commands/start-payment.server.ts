import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { Gateway, GatewayName, PaymentRequest } from '#features/payments/gateway.ts'
import {
  findAttempt,
  findPayableOrder,
  listAttempts,
  listLineNames,
  type Attempt,
  type PayableOrder,
} from '#features/payments/queries.server.ts'
import { gatewayBounds } from '#features/payments/rules.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { stillPayable } from '#features/payments/payment-verification-rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { ulid } from '#lib/ids/ids.server.ts'
import type { Poisha } from '#lib/format/money.ts'

export type StartRefusal =
  | 'no-such-order'
  | 'order-ended'
  | 'nothing-to-pay'
  /** A reported advance waits to be verified: the same money must not be asked for twice. */
  | 'advance-reported'
  | 'no-gateway'
  | 'below-gateway-minimum'
  | 'above-gateway-maximum'
  | 'gateway-refused'
  | 'gateway-silent'

export type StartResult = { ok: true; redirectUrl: string } | { ok: false; reason: StartRefusal }

const WAIT_FOR_OTHER_MS = 35_000
/** Each further attempt gives the order its full time again, up to this many times the first. */
const MAX_EXTENSIONS = 3

/**
 * Sends the shopper of an order to its gateway: takes the attempt that was written with the order, or writes a new one,
 * commits it, and only then calls the gateway. Two calls at once (a double click) get the same address. The order keeps the gateway it was
 * sent to last. A refusal leaves the order as it is: its stock waits until the order expires, and the shopper may try again.
 */
export async function startPayment(deps: PaymentDeps, orderId: number, wanted?: GatewayName): Promise<StartResult> {
  const taken = await takeAttempt(deps, orderId, wanted)
  if (!taken.ok) return taken
  const { attempt, gateway, order } = taken
  return (await claim(deps, attempt)) ? openSession(deps, gateway, order, attempt) : awaitOther(deps, attempt)
}

type Taken = { ok: true; attempt: Attempt; gateway: Gateway; order: PayableOrder } | { ok: false; reason: StartRefusal }

/** The attempt that has just been begun for this order, by this call or by another at the same moment. */
async function takeAttempt(deps: PaymentDeps, orderId: number, wanted: GatewayName | undefined): Promise<Taken> {
  const { expiry } = await deps.facts.settings()
  return inTransaction(deps.db, async (tx): Promise<Taken> => {
    // The order is read after its lock: a change of the payment method in between decides the sum.
    await sql`select 1 from orders where id = ${orderId} for update`.execute(tx)
    const order = await findPayableOrder(tx, orderId)
    if (!order) return { ok: false, reason: 'no-such-order' }
    const amount = stillPayable(order)
    const name = wanted ?? (order.gateway === 'NONE' ? deps.gateways.default : order.gateway)
    const gateway = name ? deps.gateways[name] : undefined
    const refusal = startRefusal(order, amount)
    if (refusal) return { ok: false, reason: refusal }
    if (!gateway) return { ok: false, reason: 'no-gateway' }
    if (order.hasReportedAdvance) return { ok: false, reason: 'advance-reported' }
    const latest = (await listAttempts(tx, orderId))[0]
    if (latest && latest.gateway === gateway.name && latest.amountPoisha === amount && isJustBegun(latest, deps.now()))
      return { ok: true, attempt: latest, gateway, order }
    const attempt = await writeAttempt(tx, order, gateway.name, amount, { now: deps.now(), minutes: expiry.paymentMinutes })
    return { ok: true, attempt, gateway, order }
  })
}

function startRefusal(order: PayableOrder, amount: Poisha): StartRefusal | null {
  if (isEnded(order.status)) return 'order-ended'
  return amount === 0 ? 'nothing-to-pay' : gatewayBounds(amount)
}

/** So young that a second call for it is the same press of a button. */
function isJustBegun(attempt: Attempt, now: Date): boolean {
  const isOpen = attempt.state === 'initiated' || (attempt.state === 'pending' && attempt.failure === null)
  return isOpen && now.getTime() - attempt.createdAt.getTime() < WAIT_FOR_OTHER_MS
}

/** Of several calls for one attempt, one opens the session. */
async function claim(deps: PaymentDeps, attempt: Attempt): Promise<boolean> {
  const { numAffectedRows } = await sql`update payment_attempts set state = 'pending', updated_at = ${deps.now()}
    where id = ${attempt.id} and state = 'initiated'`.execute(deps.db)
  return numAffectedRows === 1n
}

async function awaitOther(deps: PaymentDeps, attempt: Attempt): Promise<StartResult> {
  for (let waited = 0; waited < WAIT_FOR_OTHER_MS; waited += 100) {
    const now = await findAttempt(deps.db, attempt.id)
    if (now?.redirectUrl) return { ok: true, redirectUrl: now.redirectUrl }
    if (now?.failure) return { ok: false, reason: now.state === 'failed' ? 'gateway-refused' : 'gateway-silent' }
    // Closed before anybody opened its page: the order has been cancelled at this moment.
    if (now?.state === 'expired') return { ok: false, reason: 'order-ended' }
    await sleep(100)
  }
  return { ok: false, reason: 'gateway-silent' }
}

async function writeAttempt(
  tx: Db,
  order: PayableOrder,
  gateway: GatewayName,
  amount: Poisha,
  { now, minutes }: { now: Date; minutes: number },
): Promise<Attempt> {
  const fullTime = new Date(now.getTime() + minutes * 60_000)
  const longest = new Date(order.placedAt.getTime() + MAX_EXTENSIONS * minutes * 60_000)
  await sql`update orders set payment_gateway = ${gateway},
      expires_at = case when expires_at is not null then greatest(expires_at, least(${fullTime}::timestamptz, ${longest})) end
    where id = ${order.id} and (expires_at is not null or payment_gateway <> ${gateway})`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state, created_at, updated_at)
    values (${order.id}, ${gateway}, ${ulid(now)}, ${amount}, 'initiated', ${now}, ${now}) returning id`.execute(tx)
  return (await findAttempt(tx, rows[0]!.id))!
}

async function openSession(deps: PaymentDeps, gateway: Gateway, order: PayableOrder, attempt: Attempt): Promise<StartResult> {
  const session = await gateway.createSession(await requestFor(deps, order, attempt))
  if (session.ok) {
    await sql`update payment_attempts set redirect_url = ${session.redirectUrl}, gateway_ref = ${session.gatewayRef}, updated_at = ${deps.now()}
      where id = ${attempt.id}`.execute(deps.db)
    return { ok: true, redirectUrl: session.redirectUrl }
  }
  deps.log.warn({ orderId: order.id, gateway: gateway.name, reason: session.reason, detail: session.detail }, 'payment session not opened')
  // After silence the session may exist over there, so the attempt stays open and the sweep asks about it.
  const isSilent = session.reason === 'unknown' && session.detail === 'timeout'
  await sql`update payment_attempts set state = ${isSilent ? 'pending' : 'failed'}, failure = ${session.detail.slice(0, 300)}, updated_at = ${deps.now()}
    where id = ${attempt.id} and state = 'pending'`.execute(deps.db)
  return { ok: false, reason: session.reason === 'rejected' ? 'gateway-refused' : 'gateway-silent' }
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
