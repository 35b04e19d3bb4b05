import { type MissingProduct, sellHeldAnimals, syncOrderStock } from '#features/stock/stock.server.ts'
import { type OrderActor, addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { ADJUSTMENT_KINDS } from '#features/ledger/rules.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import { sanitizeText } from '#lib/format/text.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { cashOnDeliveryError, type CashOnDeliveryError, recordCashOnDelivery } from '../payments/cash-on-delivery.server.ts'
import { lockOrderDrawer } from '../payments/order-drawer.server.ts'
import { reverseAdjustments } from '#features/ledger/adjustment-entries.server.ts'
import { CreditLimitError, lockOrderAccount, type OrderAccount, requireCredit } from '../editing/account-credit.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { canMove, isSent, isLive, needsReason, type OrderStatus } from '../rules.ts'

export interface StatusDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
  /** Reports that product data which shoppers see has changed. */
  catalogChanged(): void
}

export interface StatusChange {
  to: OrderStatus
  reason: string
  /** The version that the actor saw; null skips the check. */
  version: number | null
  /** Whether the actor has the permission to reopen orders. */
  mayReopen?: boolean
  /** Cash on delivery, recorded in the ledger with the delivery. */
  collected?: Poisha
  /** The collected cash goes into the drawer of the actor's open shift, whose reports are in this language. */
  drawer?: Lang
}

export type StatusError =
  | { reason: 'not-found' | 'reason-required' }
  /** The version is stale. */
  | { reason: 'changed'; status: OrderStatus; version: number }
  /** The state machine does not allow this step. */
  | { reason: 'no-such-step'; status: OrderStatus }
  /** The order cannot be reopened: products are not available. */
  | { reason: 'unavailable'; missing: MissingProduct[] }

export type StatusResult =
  | { ok: true; from: OrderStatus; to: OrderStatus; version: number }
  | ({ ok: false } & StatusError)
  | { ok: false; reason: 'cash-refused'; cash: CashOnDeliveryError | 'no-shift' }
  /** The order is on account, and its customer would owe more than the credit limit. */
  | { ok: false; reason: 'over-credit-limit'; account: OrderAccount }

/**
 * Changes the status of an order [S6] in one transaction with stock, sold animals, timeline, audit log, and the SMS of a cancellation.
 * Of two concurrent changes the second is rejected by its version.
 */
export async function changeOrderStatus(deps: StatusDeps, orderId: number, change: StatusChange, actor: Actor): Promise<StatusResult> {
  const settings = await deps.shopCache.settings()
  const result = await inCredit(deps.db, (tx) => applyStatusChange(tx, { deps, settings }, orderId, change, actor))
  if (result.ok) deps.catalogChanged()
  return result
}

/**
 * The change in the caller's transaction. Throws when the customer's credit limit is exceeded (`creditRefusal`): the transaction must be
 * rolled back.
 */
export async function applyStatusChange(
  tx: Db,
  { deps, settings }: { deps: Pick<StatusDeps, 'now' | 'env'>; settings: Settings },
  orderId: number,
  change: StatusChange,
  actor: Actor,
): Promise<StatusResult> {
  const amount = change.collected ?? ZERO
  const drawer = await lockOrderDrawer(tx, actor, amount > 0 ? (change.drawer ?? null) : null)
  const order = await lockOrder(tx, orderId)
  if (!order) return { ok: false, reason: 'not-found' }
  const error = findStatusError(order, change)
  if (error) return { ok: false, ...error }
  if (drawer === 'closed') return { ok: false, reason: 'cash-refused', cash: 'no-shift' }
  const cash = await cashOnDeliveryError(tx, orderId, { amount, to: change.to, total: null })
  if (cash) return { ok: false, reason: 'cash-refused', cash }
  const missing = await syncStockOfStatus(tx, order, change.to)
  if (missing) return { ok: false, reason: 'unavailable', missing }
  const account = await lockOrderAccount(tx, order)
  const version = await writeStatus(tx, order, change, actor, { now: deps.now(), settings, publicUrl: deps.env.publicUrl })
  await recordCashOnDelivery(tx, order, { amount, drawer }, actor, deps.now())
  await requireCredit(tx, account)
  return { ok: true, from: order.status, to: change.to, version: amount > 0 ? version + 1 : version }
}

/** Runs the change in a transaction; one beyond the customer's credit limit is rolled back. */
async function inCredit(db: Db, change: (tx: Db) => Promise<StatusResult>): Promise<StatusResult> {
  try {
    return await inTransaction(db, change)
  } catch (error) {
    const refusal = creditRefusal(error)
    if (refusal) return refusal
    throw error
  }
}

/** The result for a change that went beyond the customer's credit limit; null for any other error. */
export function creditRefusal(error: unknown): (StatusResult & { ok: false }) | null {
  return error instanceof CreditLimitError ? { ok: false, reason: 'over-credit-limit', account: error.account } : null
}

/** The reason why the order cannot make this change; null when it can. */
export function findStatusError(order: LockedOrder, change: StatusChange): StatusError | null {
  if (change.version !== null && change.version !== order.version)
    return { reason: 'changed', status: order.status, version: order.version }
  if (!canMove(order.status, change.to, change.mayReopen && !order.hasReturns)) return { reason: 'no-such-step', status: order.status }
  return needsReason(change.to) && sanitizeText(change.reason) === '' ? { reason: 'reason-required' } : null
}

/** Releases the stock of an order that ends, reserves it for one that is reopened. Returns the missing products, or null. */
async function syncStockOfStatus(tx: Db, order: LockedOrder, to: OrderStatus): Promise<MissingProduct[] | null> {
  if (isLive(order.status) === isLive(to)) return null
  return syncOrderStock(tx, order.id, isLive(to) ? 'order-lines' : [])
}

interface StatusContext {
  now: Date
  settings: Settings
  publicUrl: string
}

/**
 * Cancels a locked order: releases its stock, then writes status, event, audit log and SMS. Cancellations by staff are the exception:
 * `changeOrderStatus` and the editor release the stock themselves and call `writeStatus`. `expired`: by the expiry job, which has its own
 * event and SMS.
 */
export async function cancelOrder(
  tx: Db,
  order: LockedOrder,
  { reason, expired = false }: { reason: string; expired?: boolean },
  actor: OrderActor,
  context: StatusContext,
): Promise<void> {
  await syncOrderStock(tx, order.id, [])
  await writeStatus(tx, order, { to: 'cancelled', reason, expired }, actor, context)
}

/** Writes the new status with its event and audit entry, and queues the SMS of a cancellation. The stock is in sync already. */
export async function writeStatus(
  tx: Db,
  order: LockedOrder,
  change: Pick<StatusChange, 'to' | 'reason'> & { expired?: boolean },
  actor: OrderActor,
  { now, settings, publicUrl }: StatusContext,
): Promise<number> {
  const shop = orderSmsShop(publicUrl, settings)
  const reason = needsReason(change.to) ? sanitizeText(change.reason) : null
  const { version } = await tx
    .updateTable('orders')
    .set((eb) => ({ status: change.to, reason, expires_at: null, version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', order.id)
    .returning('version')
    .executeTakeFirstOrThrow()
  const detail = reason === null || change.expired ? {} : { reason }
  await addOrderEvent(tx, order.id, actor, now, { kind: change.expired ? 'expired' : 'status', from: order.status, to: change.to, detail })
  if (actor.kind === 'staff') {
    const [before, after] = [
      { status: order.status, reason: null },
      { status: change.to, reason },
    ]
    await audit(tx, actor, { action: 'changed', subject: 'order', id: order.id, before, after })
  }
  if (isLive(order.status) !== isLive(change.to)) {
    // A reopened order costs its price again; an ended one owes nothing that could be written off.
    await reverseAdjustments(tx, order.id, actor, now, isLive(change.to) ? ADJUSTMENT_KINDS : ['write_off'])
  }
  if (isSent(change.to)) await sellHeldAnimals(tx, order.id)
  else if (isLive(change.to)) await sellPaidAnimals(tx, order.id)
  if (change.to === 'cancelled') await queueOrderSms(tx, shop, cancellationSms(order.id, version, change.expired, { settings, publicUrl }))
  return version
}

/** The event carries the version: an order that was reopened and ended again sends its SMS again. */
function cancellationSms(
  orderId: number,
  version: number,
  expired: boolean | undefined,
  { settings, publicUrl }: Omit<StatusContext, 'now'>,
) {
  const { orderExpired, orderCancelled } = settings.messages
  if (expired) return { orderId, event: `order-expired-${version}`, text: orderExpired, more: { link: publicUrl } }
  return { orderId, event: `order-cancelled-${version}`, text: orderCancelled }
}
