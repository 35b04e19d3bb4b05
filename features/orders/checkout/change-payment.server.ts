import { sql } from 'kysely'
import { syncOrderStock } from '#features/stock/stock.server.ts'
import { type OrderActor, addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import { finalCheck, type FinalCheck } from '#features/payments/commands/reconcile-payments.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type StatusDeps, writeStatus } from '../status/change-status.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { CHANGED_REASON, type ChangeObstacle, changeObstacle } from '../status/own-cancel-rules.ts'
import { findPaymentChoices } from './payment-choices.server.ts'
import { openOrder, type OrderVisitor } from '../queries.server.ts'
import { expiresAfterChange, isLive } from '../rules.ts'
import type { OrderJson } from '../types.ts'

// An order whose payment failed, was cancelled or abandoned: its buyer changes to another payment method, or takes the goods back to the
// cart. The gateway is asked before, so that money on its way is not overlooked; then everything changes in one transaction, or nothing.

/** Methods without a gateway. A gateway is chosen where the payment page is opened (`POST /orders/:id/pay`). */
export type OfflineMethod = 'advance' | 'cash_on_delivery'

export type ChangeRefusal = ChangeObstacle | 'not-found' | 'not-offered' | 'payment-under-way' | 'gateway-silent'
export type ChangeResult = { ok: true } | { ok: false; reason: ChangeRefusal }

export interface ChangeRequest {
  orderId: number
  visitor: OrderVisitor
  ip: string
  lang: Lang
}

type Deps = StatusDeps & PaymentDeps

/**
 * Changes an unpaid order to an advance by hand or to cash on delivery, by the rules of the checkout. Repeating it changes nothing. A payment
 * that the gateway reports later is credited: cash due is less by it. The time that the order is held is computed again [S3].
 */
export async function changePaymentMethod(deps: Deps, request: ChangeRequest, method: OfflineMethod): Promise<ChangeResult> {
  return changeUnpaid(deps, request, {
    isDone: (order) => isLive(order.status) && hasMethod(order, method),
    write: async (tx, locked, order, actor) => {
      const choices = await findPaymentChoices(tx, order, [])
      const payable = method === 'advance' ? (choices?.advance ?? null) : 0
      if (payable === null || (method === 'cash_on_delivery' && choices?.cash_on_delivery !== true)) return 'not-offered'
      const { expiry } = await deps.facts.settings()
      const now = deps.now()
      const until = expiresAfterChange(now, new Date(order.placed_at), order.phone_verified, expiry)
      // An order without a limit has been freed of it by the staff.
      const heldUntil =
        method === 'advance' ? sql`case when expires_at is not null then greatest(expires_at, ${until}::timestamptz) end` : sql`null`
      await sql`update orders set payment_type = ${method === 'advance' ? 'partial' : method}, payment_gateway = 'NONE',
          payable_poisha = ${Math.round(payable * 100)}, expires_at = ${heldUntil},
          version = version + 1, updated_at = ${now} where id = ${locked.id}`.execute(tx)
      const detail = { from: methodOf(order), to: method }
      await addOrderEvent(tx, locked.id, actor, now, { kind: 'payment-method-changed', detail })
      if (actor.kind === 'staff' && actor.id !== null) {
        const [before, after] = [{ payment: detail.from }, { payment: method }]
        await audit(tx, { id: actor.id, ip: actor.ip ?? '' }, { action: 'changed', subject: 'order', id: locked.id, before, after })
      }
      return null
    },
  })
}

/** Cancels an unpaid order so that its goods go back to the buyer's cart. An order that has ended already is done. */
export async function cancelForCart(deps: Deps, request: ChangeRequest): Promise<ChangeResult> {
  const result = await changeUnpaid(deps, request, {
    isDone: (order) => !isLive(order.status),
    write: async (tx, locked, _order, actor) => {
      const settings = await deps.facts.settings()
      await syncOrderStock(tx, locked.id, [])
      const { publicUrl } = deps.env
      await writeStatus(tx, locked, { to: 'cancelled', reason: CHANGED_REASON }, actor, { now: deps.now(), settings, publicUrl })
      return null
    },
  })
  if (result.ok) deps.catalogChanged()
  return result
}

interface Change {
  /** The order is already as wanted: a repeated request. */
  isDone: (order: OrderJson) => boolean
  /** Writes the change; a refusal when the locked order does not allow it. */
  write: (tx: Db, locked: LockedOrder, order: OrderJson, actor: OrderActor) => Promise<ChangeRefusal | null>
}

async function changeUnpaid(deps: Deps, { orderId, visitor, ip, lang }: ChangeRequest, change: Change): Promise<ChangeResult> {
  const found = await openOrder(deps.db, orderId, visitor, lang)
  if (!found) return { ok: false, reason: 'not-found' }
  if (change.isDone(found.order)) return { ok: true }
  const obstacle = changeObstacle(found.order)
  if (obstacle) return { ok: false, reason: obstacle }
  const check = await finalCheck(deps, orderId)
  if (!check.free) return { ok: false, reason: REFUSAL_OF[check.reason] }
  const refusal = await inTransaction(deps.db, async (tx): Promise<ChangeRefusal | null> => {
    const locked = await lockOrder(tx, orderId)
    // Read after the lock: a payment, a clerk or another press may have come in between.
    const now = locked && (await openOrder(tx, orderId, visitor, lang))
    if (!locked || !now) return 'not-found'
    if (change.isDone(now.order)) return null
    if (hasOpenAttempt(now.order)) return 'payment-under-way'
    return changeObstacle(now.order) ?? (await change.write(tx, locked, now.order, { ...now.actor, ip }))
  })
  return refusal ? { ok: false, reason: refusal } : { ok: true }
}

const REFUSAL_OF: Record<Extract<FinalCheck, { free: false }>['reason'], ChangeRefusal> = {
  paid: 'paid',
  review: 'payment-review',
  'in-flight': 'payment-under-way',
  unknown: 'gateway-silent',
}

/** A payment page was opened after the gateway was asked: another tab is paying. */
const hasOpenAttempt = ({ attempt }: OrderJson) => attempt?.state === 'initiated' || attempt?.state === 'pending'

function methodOf(order: OrderJson): OfflineMethod | GatewayName {
  if (order.payment_type === 'cash_on_delivery') return 'cash_on_delivery'
  return order.payment_gateway === 'NONE' ? 'advance' : order.payment_gateway
}

const hasMethod = (order: OrderJson, method: OfflineMethod) => !order.is_free_order && methodOf(order) === method
