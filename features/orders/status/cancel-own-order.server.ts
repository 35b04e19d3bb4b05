import { syncOrderStock } from '#features/stock/stock.server.ts'
import { finalCheck } from '#features/payments/commands/reconcile-payments.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { type StatusDeps, writeStatus } from './change-status.server.ts'
import { lockOrder } from '../order-locks.server.ts'
import { type CancelObstacle, cancelObstacle } from './own-cancel-rules.ts'
import { findOwnOrder, type Owner } from '../history/own-orders.server.ts'

export type CancelOwnResult =
  | { ok: true }
  | { ok: false; reason: 'not-found' | 'reason-required' | CancelObstacle }
  /** The payment company works on money of this order, or does not answer. */
  | { ok: false; reason: 'payment-under-way' }

/**
 * Cancels an order for its customer while that may be (`cancelObstacle`). The gateway is asked first whether money has come; then
 * status, goods, history and SMS change in one transaction. Of two at once one does it, the other finds it ended.
 */
export async function cancelOwnOrder(
  deps: StatusDeps & PaymentDeps,
  owner: Owner,
  orderId: number,
  { reason, lang }: { reason: string; lang: Lang },
): Promise<CancelOwnResult> {
  const order = await findOwnOrder(deps.db, owner, orderId, lang)
  if (!order) return { ok: false, reason: 'not-found' }
  const obstacle = cancelObstacle(order, dhakaDate(deps.now()))
  if (obstacle) return { ok: false, reason: obstacle }
  if (sanitizeText(reason) === '') return { ok: false, reason: 'reason-required' }
  const check = await finalCheck(deps, orderId)
  if (!check.free)
    return { ok: false, reason: check.reason === 'paid' ? 'paid' : check.reason === 'review' ? 'payment-review' : 'payment-under-way' }
  const settings = await deps.facts.settings()
  const found = await inTransaction(deps.db, async (tx) => {
    const locked = await lockOrder(tx, orderId)
    // A payment, a clerk or another press may have come in between; only after the lock is what is read what holds.
    const now = locked && (await findOwnOrder(tx, owner, orderId, lang))
    const toUnavailableProduct = now ? cancelObstacle(now, dhakaDate(deps.now())) : 'ended'
    if (!locked || toUnavailableProduct) return toUnavailableProduct
    await syncOrderStock(tx, orderId, [])
    const { publicUrl } = deps.env
    await writeStatus(
      tx,
      locked,
      { to: 'cancelled', reason },
      { kind: 'customer', id: owner.user.id },
      { now: deps.now(), settings, publicUrl },
    )
    return null
  })
  if (found) return { ok: false, reason: found }
  deps.catalogChanged()
  return { ok: true }
}
