import { checkBeforeExpiry, expireAttempts, hasNewAttempt } from '#features/payments/commands/reconcile-payments.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { cancelOrder, type StatusDeps } from './change-status.server.ts'
import { lockOrder } from '../order-locks.server.ts'
import { type CancelBlock, findCancelBlock } from './own-cancel-rules.ts'
import { findOwnOrder, type Owner } from '../history/own-orders.server.ts'

export type CancelOwnResult =
  | { ok: true }
  | { ok: false; reason: 'not-found' | 'reason-required' | CancelBlock }
  /** The gateway processes a payment of this order, or does not answer. */
  | { ok: false; reason: 'payment-under-way' }

/**
 * Cancels an order for its customer where `findCancelBlock` allows it. Queries the gateway first for a payment, then cancels in one
 * transaction. Of two concurrent calls the second finds the order ended.
 */
export async function cancelOwnOrder(
  deps: StatusDeps & PaymentDeps,
  owner: Owner,
  orderId: number,
  { reason, lang }: { reason: string; lang: Lang },
): Promise<CancelOwnResult> {
  const order = await findOwnOrder(deps.db, owner, orderId, lang)
  if (!order) return { ok: false, reason: 'not-found' }
  const block = findCancelBlock(order, dhakaDate(deps.now()))
  if (block) return { ok: false, reason: block }
  if (sanitizeText(reason) === '') return { ok: false, reason: 'reason-required' }
  const check = await checkBeforeExpiry(deps, orderId)
  if (!check.free)
    return { ok: false, reason: check.reason === 'paid' ? 'paid' : check.reason === 'review' ? 'payment-review' : 'payment-under-way' }
  const settings = await deps.shopCache.settings()
  const rejection = await inTransaction(deps.db, async (tx) => {
    const locked = await lockOrder(tx, orderId)
    // Read again under the lock: a payment, the staff or a second request may have changed the order.
    const current = locked && (await findOwnOrder(tx, owner, orderId, lang))
    const currentBlock = current ? findCancelBlock(current, dhakaDate(deps.now())) : 'ended'
    if (!locked || !current || currentBlock) return currentBlock
    if (await hasNewAttempt(tx, orderId, check.attempts)) return 'payment-under-way'
    const actor = { kind: 'customer', id: owner.user.id } as const
    await cancelOrder(tx, locked, { reason }, actor, { now: deps.now(), settings, publicUrl: deps.env.publicUrl })
    await expireAttempts(tx, check.attempts, deps.now())
    return null
  })
  if (rejection) return { ok: false, reason: rejection }
  deps.catalogChanged()
  return { ok: true }
}
