import { type OrderActor, addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import {
  checkBeforeExpiry,
  expireAttempts,
  type ExpiryCheck,
  hasNewAttempt,
} from '#features/payments/commands/reconcile-payments.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { takaToPoisha } from '#lib/format/money.ts'
import { cancelOrder, type StatusDeps } from '../status/change-status.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { CHANGED_REASON, type ChangeBlock, findChangeBlock } from '../status/own-cancel-rules.ts'
import { codCodeFrom } from './checkout-rules.ts'
import { findPaymentChoices } from './payment-choices.server.ts'
import { openOrder, type OrderVisitor } from '../queries.server.ts'
import { restartedDeadline } from '#features/payments/deadline-rules.ts'
import { isLive } from '../rules.ts'
import type { OrderJson } from '../types.ts'

// Commands for an order whose online payment failed or was abandoned: the buyer changes the payment method, or moves the products back to the
// cart. Each command first queries the gateway, so that it does not overlook a payment, and then writes one transaction.

/** Methods without a gateway. A gateway is chosen where the payment page is opened (`POST /orders/:id/pay`). */
export type OfflineMethod = 'advance' | 'cash_on_delivery'

export type ChangeError = ChangeBlock | 'not-found' | 'not-offered' | 'payment-under-way' | 'gateway-silent'
export type ChangeResult = { ok: true } | { ok: false; reason: ChangeError }

export interface ChangeRequest {
  orderId: number
  visitor: OrderVisitor & { ip: string }
  lang: Lang
}

type Deps = StatusDeps & PaymentDeps & { sms: { readonly canSend: boolean } }

/**
 * Changes an unpaid order to an advance by hand or to cash on delivery, where the checkout would offer it. A repeated call changes nothing. A
 * payment that the gateway reports later enters the ledger and lowers the amount due. Computes the payment deadline again [S3].
 */
export async function changePaymentMethod(deps: Deps, request: ChangeRequest, method: OfflineMethod): Promise<ChangeResult> {
  return changeUnpaid(deps, request, {
    isDone: (order) => isLive(order.status) && hasMethod(order, method),
    write: async (tx, locked, order, actor) => {
      const settings = await deps.shopCache.settings()
      const choices = await findPaymentChoices(tx, order, {
        gateways: [],
        visitor: request.visitor,
        codCodeFrom: codCodeFrom(settings, deps.sms.canSend),
      })
      const payable = method === 'advance' ? (choices?.advance ?? null) : 0
      if (payable === null || (method === 'cash_on_delivery' && choices?.cash_on_delivery !== true)) return 'not-offered'
      const now = deps.now()
      const until = restartedDeadline(
        now,
        new Date(order.placed_at),
        order.phone_verified ? 'verified-phone' : 'unreported',
        settings.expiry,
      )
      // An order without a deadline keeps none, because staff removed it.
      const hasDeadline = method === 'advance' && order.expires_at !== null
      await tx
        .updateTable('orders')
        .set({ payment_type: method === 'advance' ? 'partial' : method, payment_gateway: 'NONE', payable_poisha: takaToPoisha(payable) })
        .set(({ eb, fn, val }) => ({
          expires_at: hasDeadline ? fn<Date>('greatest', ['expires_at', val(until)]) : null,
          version: eb('version', '+', 1),
        }))
        .set({ updated_at: now })
        .where('id', '=', locked.id)
        .execute()
      const detail = { from: methodOf(order), to: method }
      await addOrderEvent(tx, locked.id, actor, now, { kind: 'payment-method-changed', detail })
      if (actor.kind === 'staff') {
        const [before, after] = [{ payment: detail.from }, { payment: method }]
        await audit(tx, actor, { action: 'changed', subject: 'order', id: locked.id, before, after })
      }
      return null
    },
  })
}

/** Cancels an unpaid order whose products go back to the cart. Succeeds without a change for an order that has ended. */
export async function cancelForCart(deps: Deps, request: ChangeRequest): Promise<ChangeResult> {
  const result = await changeUnpaid(deps, request, {
    isDone: (order) => !isLive(order.status),
    write: async (tx, locked, _order, actor) => {
      const settings = await deps.shopCache.settings()
      await cancelOrder(tx, locked, { reason: CHANGED_REASON }, actor, { now: deps.now(), settings, publicUrl: deps.env.publicUrl })
      return null
    },
  })
  if (result.ok) deps.catalogChanged()
  return result
}

interface Change {
  /** Whether the order is already in the requested state: a repeated request. */
  isDone: (order: OrderJson) => boolean
  /** Writes the change to the locked order, or returns why it is not allowed. */
  write: (tx: Db, locked: LockedOrder, order: OrderJson, actor: OrderActor) => Promise<ChangeError | null>
}

async function changeUnpaid(deps: Deps, { orderId, visitor, lang }: ChangeRequest, change: Change): Promise<ChangeResult> {
  const found = await openOrder(deps.db, orderId, visitor, lang)
  if (!found) return { ok: false, reason: 'not-found' }
  if (change.isDone(found.order)) return { ok: true }
  const block = findChangeBlock(found.order)
  if (block) return { ok: false, reason: block }
  const check = await checkBeforeExpiry(deps, orderId)
  if (!check.free) return { ok: false, reason: ERROR_OF_CHECK[check.reason] }
  const error = await inTransaction(deps.db, async (tx): Promise<ChangeError | null> => {
    const locked = await lockOrder(tx, orderId)
    // Read again under the lock: a payment, the staff or a second request may have changed the order.
    const current = locked && (await openOrder(tx, orderId, visitor, lang))
    if (!locked || !current) return 'not-found'
    if (change.isDone(current.order)) return null
    if (await hasNewAttempt(tx, orderId, check.attempts)) return 'payment-under-way'
    const refusal = findChangeBlock(current.order) ?? (await change.write(tx, locked, current.order, current.actor))
    if (!refusal) await expireAttempts(tx, check.attempts, deps.now())
    return refusal
  })
  return error ? { ok: false, reason: error } : { ok: true }
}

const ERROR_OF_CHECK: Record<Extract<ExpiryCheck, { free: false }>['reason'], ChangeError> = {
  paid: 'paid',
  review: 'payment-review',
  'in-flight': 'payment-under-way',
  unknown: 'gateway-silent',
}

function methodOf(order: OrderJson): OfflineMethod | GatewayName {
  if (order.payment_type === 'cash_on_delivery') return 'cash_on_delivery'
  return order.payment_gateway === 'NONE' ? 'advance' : order.payment_gateway
}

const hasMethod = (order: OrderJson, method: OfflineMethod) => !order.is_free_order && methodOf(order) === method
