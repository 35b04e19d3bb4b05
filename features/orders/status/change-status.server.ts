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
  /** What shoppers see of the goods has changed. */
  catalogChanged(): void
}

export interface StatusChange {
  to: OrderStatus
  reason: string
  /** The version the person had before their eyes; null where they saw none. */
  version: number | null
  /** Whether the person may open an ended order again. */
  mayReopen?: boolean
  /** Cash collected at the door, recorded in the ledger with the delivery. */
  collected?: Poisha
}

export type StatusRefusal =
  | { reason: 'not-found' | 'reason-required' }
  /** Somebody else has changed the order since. */
  | { reason: 'changed'; status: OrderStatus; version: number }
  /** The course of an order does not lead there. */
  | { reason: 'no-such-step'; status: OrderStatus }
  /** Opened again it could not have its goods: others have them. */
  | { reason: 'goods-gone'; goods: MissingProduct[] }

export type StatusResult =
  | { ok: true; from: OrderStatus; to: OrderStatus; version: number }
  | ({ ok: false } & StatusRefusal)
  | { ok: false; reason: 'cash-refused'; cash: CashOnDeliveryError }

/**
 * Moves an order along its course [S6] and everything with it, in one transaction: goods freed or taken again, animals sold
 * when they go out, history, and an SMS when it is cancelled. Of two at once one is refused.
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
    const goods = await moveGoods(tx, order, change.to)
    if (goods) return { ok: false, reason: 'goods-gone', goods }
    const version = await writeStatus(tx, order, change, actor, { now: deps.now(), settings, publicUrl: deps.env.publicUrl })
    if (amount > 0) await recordDoorCash(tx, order, amount, { id: actor.id ?? 0, ip: actor.ip ?? '' }, deps.now())
    return { ok: true, from: order.status, to: change.to, version: amount > 0 ? version + 1 : version }
  })
  if (result.ok) deps.catalogChanged()
  return result
}

/** Why an order, as it stands, cannot make this change; null when it can. */
export function statusRefusal(order: LockedOrder, change: StatusChange): StatusRefusal | null {
  if (change.version !== null && change.version !== order.version)
    return { reason: 'changed', status: order.status, version: order.version }
  if (!canMove(order.status, change.to, change.mayReopen && !order.hasReturns)) return { reason: 'no-such-step', status: order.status }
  return needsReason(change.to) && sanitizeText(change.reason) === '' ? { reason: 'reason-required' } : null
}

/** Frees the goods of an order that ends, takes them again for one that is opened. What is missing, or null. */
async function moveGoods(tx: Db, order: LockedOrder, to: OrderStatus): Promise<MissingProduct[] | null> {
  if (isLive(order.status) === isLive(to)) return null
  return syncOrderStock(tx, order.id, isLive(to) ? 'order-lines' : [])
}

/** Writes the new status with its history, and tells the customer of a cancellation. The goods have been moved. */
export async function writeStatus(
  tx: Db,
  order: LockedOrder,
  change: Pick<StatusChange, 'to' | 'reason'>,
  actor: OrderActor,
  { now, settings, publicUrl }: { now: Date; settings: Settings; publicUrl: string },
): Promise<number> {
  const shop = orderSmsShop(publicUrl, settings)
  const reason = needsReason(change.to) ? sanitizeText(change.reason).slice(0, TEXT_LIMIT) : null
  const { rows } = await sql<{ version: number }>`
    update orders set status = ${change.to}, reason = ${reason}, expires_at = null, version = version + 1, updated_at = ${now}
    where id = ${order.id} returning version`.execute(tx)
  const version = rows[0]!.version
  await addOrderEvent(tx, order.id, actor, now, {
    kind: 'status',
    from: order.status,
    to: change.to,
    detail: reason === null ? {} : { reason },
  })
  if (actor.kind === 'staff' && actor.id !== null) {
    const [before, after] = [
      { status: order.status, reason: null },
      { status: change.to, reason },
    ]
    await audit(tx, { id: actor.id, ip: actor.ip ?? '' }, { action: 'changed', subject: 'order', id: order.id, before, after })
  }
  if (goesOut(change.to)) await sellHeldAnimals(tx, order.id)
  else if (isLive(change.to)) await sellPaidAnimals(tx, order.id)
  // An order that was opened and is cancelled again tells it again.
  if (change.to === 'cancelled')
    await queueOrderSms(tx, shop, { orderId: order.id, event: `order-cancelled-${version}`, text: settings.messages.orderCancelled })
  return version
}
