import { sql } from 'kysely'
import { type MissingProduct, sellHeldAnimals, syncOrderStock } from '#features/stock/stock.server.ts'
import { type OrderActor, addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import { sanitizeText, TEXT_LIMIT } from '#lib/format/text.ts'
import { cashOnDeliveryError, type CashOnDeliveryError, recordDoorCash } from '../payments/cash-on-delivery.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { canMove, goesOut, isLive, needsReason, type OrderStatus } from '../rules.ts'

export interface StatusDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  facts: { settings(): Promise<Settings> }
  /** Reports that product data which shoppers see has changed. */
  catalogChanged(): void
}

export interface StatusChange {
  to: OrderStatus
  reason: string
  /** The version that the person saw; null for none. */
  version: number | null
  /** Whether the person may open an ended order again. */
  mayReopen?: boolean
  /** Cash collected at the door, recorded in the ledger with the delivery. */
  collected?: Poisha
}

export type StatusRefusal =
  | { reason: 'not-found' | 'reason-required' }
  /** The order was changed since. */
  | { reason: 'changed'; status: OrderStatus; version: number }
  /** The state machine does not allow this step. */
  | { reason: 'no-such-step'; status: OrderStatus }
  /** It cannot be reopened: its products are not available. */
  | { reason: 'goods-gone'; goods: MissingProduct[] }

export type StatusResult =
  | { ok: true; from: OrderStatus; to: OrderStatus; version: number }
  | ({ ok: false } & StatusRefusal)
  | { ok: false; reason: 'cash-refused'; cash: CashOnDeliveryError }

/**
 * Changes the status of an order [S6] in one transaction with stock, sold animals, timeline, audit log, and the SMS of a cancellation.
 * Of two concurrent changes the second is rejected by its version.
 */
export async function changeOrderStatus(deps: StatusDeps, orderId: number, change: StatusChange, actor: OrderActor): Promise<StatusResult> {
  const settings = await deps.facts.settings()
  const result = await inTransaction(deps.db, async (tx): Promise<StatusResult> => {
    const order = await lockOrder(tx, orderId)
    if (!order) return { ok: false, reason: 'not-found' }
    const refusal = statusRefusal(order, change)
    if (refusal) return { ok: false, ...refusal }
    const amount = change.collected ?? ZERO
    const cash = await cashOnDeliveryError(tx, orderId, { amount, to: change.to, total: null })
    if (cash) return { ok: false, reason: 'cash-refused', cash }
    const missing = await syncStockOfStatus(tx, order, change.to)
    if (missing) return { ok: false, reason: 'goods-gone', goods: missing }
    const version = await writeStatus(tx, order, change, actor, { now: deps.now(), settings, publicUrl: deps.env.publicUrl })
    if (amount > 0) await recordDoorCash(tx, order, amount, { id: actor.id ?? 0, ip: actor.ip ?? '' }, deps.now())
    return { ok: true, from: order.status, to: change.to, version: amount > 0 ? version + 1 : version }
  })
  if (result.ok) deps.catalogChanged()
  return result
}

/** Why the order cannot make this change; null when it can. */
export function statusRefusal(order: LockedOrder, change: StatusChange): StatusRefusal | null {
  if (change.version !== null && change.version !== order.version)
    return { reason: 'changed', status: order.status, version: order.version }
  if (!canMove(order.status, change.to, change.mayReopen && !order.hasReturns)) return { reason: 'no-such-step', status: order.status }
  return needsReason(change.to) && sanitizeText(change.reason) === '' ? { reason: 'reason-required' } : null
}

/** Releases the stock of an order that ends, reserves it for one that is reopened. Returns missing products, or null. */
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
 * Cancels a locked order: releases its stock, then status, event, audit log and SMS. Every cancellation runs here, except those of the staff,
 * which `changeOrderStatus` and the editor write with `writeStatus` after the same release. `expired`: by the expiry job, with its own event
 * and SMS.
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
  const reason = needsReason(change.to) ? sanitizeText(change.reason).slice(0, TEXT_LIMIT) : null
  const { rows } = await sql<{ version: number }>`
    update orders set status = ${change.to}, reason = ${reason}, expires_at = null, version = version + 1, updated_at = ${now}
    where id = ${order.id} returning version`.execute(tx)
  const version = rows[0]!.version
  const detail = reason === null || change.expired ? {} : { reason }
  await addOrderEvent(tx, order.id, actor, now, { kind: change.expired ? 'expired' : 'status', from: order.status, to: change.to, detail })
  if (actor.kind === 'staff' && actor.id !== null) {
    const [before, after] = [
      { status: order.status, reason: null },
      { status: change.to, reason },
    ]
    await audit(tx, { id: actor.id, ip: actor.ip ?? '' }, { action: 'changed', subject: 'order', id: order.id, before, after })
  }
  if (goesOut(change.to)) await sellHeldAnimals(tx, order.id)
  else if (isLive(change.to)) await sellPaidAnimals(tx, order.id)
  if (change.to === 'cancelled') await queueOrderSms(tx, shop, cancellationSms(order.id, version, change.expired, { settings, publicUrl }))
  return version
}

/** The event carries the version: an order that was reopened and cancelled again sends its SMS again. */
function cancellationSms(
  orderId: number,
  version: number,
  expired: boolean | undefined,
  { settings, publicUrl }: Omit<StatusContext, 'now'>,
) {
  const { orderExpired, orderCancelled } = settings.messages
  if (expired) return { orderId, event: 'order-expired', text: orderExpired, more: { link: publicUrl } }
  return { orderId, event: `order-cancelled-${version}`, text: orderCancelled }
}
