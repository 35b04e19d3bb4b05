import type { Actor } from '#features/audit/audit.server.ts'
import { clearRefundFlag } from '#features/ledger/attention.server.ts'
import { findOrderMoney } from '#features/ledger/ledger.server.ts'
import { type AdjustmentKind, isEnded, type OrderMoney } from '#features/ledger/rules.ts'
import { sumOfRefundsUnderWay } from '#features/payments/refunds/queries.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Poisha, poisha } from '#lib/format/money.ts'
import type { AdminDeps } from '../order-deps.ts'
import { lockOrder, type LockedOrder, raiseOrderVersion } from '../order-locks.server.ts'
import { type Adjustment, writeAdjustment } from '#features/ledger/adjustment-entries.server.ts'
import { canKeepFee, canWriteOff } from './ledger-rules.ts'

export interface AdjustmentForm {
  kind: AdjustmentKind
  /** Above zero. */
  amount: Poisha
  reason: string
  /** The version of the order that the clerk saw. It rejects a repeated request. */
  version: number
}

export type AdjustmentError =
  | 'not-found'
  | 'changed'
  /** A fee is retained of a cancelled or returned order, or of one with returned products. */
  | 'no-fee'
  /** Written off are an amount due of a delivered order, and a refund due of a delivered or ended one. */
  | 'no-write-off'
  | 'more-than-refund-due'
  | 'more-than-due'
  | 'nothing-to-reverse'
export type AdjustmentResult = { ok: true } | { ok: false; reason: AdjustmentError }

/**
 * Keeps a fee of a refund, at most what is to be refunded; or writes off an amount due that will not be paid, or a refund that cannot be
 * given back. Clears the flag of a late or double payment when nothing is left to refund.
 */
export function recordAdjustment(deps: AdminDeps, orderId: number, form: AdjustmentForm, clerk: Actor): Promise<AdjustmentResult> {
  return adjust(deps, orderId, form, clerk, async (tx, order) => {
    const { duePoisha, hasReturns, status } = order
    const { kind, amount, reason } = form
    if (kind === 'fee' && !canKeepFee({ status, duePoisha, hasReturns })) return 'no-fee'
    if (kind === 'write_off' && !canWriteOff({ status, duePoisha })) return 'no-write-off'
    if (duePoisha > 0 && amount > duePoisha) return 'more-than-due'
    if (duePoisha < 0 && amount > -duePoisha - (await sumOfRefundsUnderWay(tx, orderId))) return 'more-than-refund-due'
    await clearRefundFlag(tx, orderId, amount)
    const event = kind === 'fee' ? 'fee-kept' : 'written-off'
    return { kind, event, reason, amount: duePoisha > 0 ? amount : poisha(-amount) }
  })
}

/** Reverses all fees, or all write-offs, of an order by an opposite entry. */
export function reverseAdjustment(
  deps: AdminDeps,
  orderId: number,
  form: Omit<AdjustmentForm, 'amount'>,
  clerk: Actor,
): Promise<AdjustmentResult> {
  return adjust(deps, orderId, form, clerk, (_tx, _order, { feePoisha, writtenOffPoisha, status }) => {
    const { kind, reason } = form
    const amount = kind === 'fee' ? feePoisha : poisha(-writtenOffPoisha)
    // An ended order owes nothing: nothing above zero was written off of it.
    if (amount === 0 || (amount < 0 && isEnded(status))) return 'nothing-to-reverse'
    return { kind, reason, amount, event: kind === 'fee' ? 'fee-reversed' : 'write-off-reversed' }
  })
}

type Decision = Adjustment | AdjustmentError

async function adjust(
  deps: AdminDeps,
  orderId: number,
  { version }: Pick<AdjustmentForm, 'version'>,
  clerk: Actor,
  decide: (tx: Db, order: LockedOrder, money: OrderMoney) => Decision | Promise<Decision>,
): Promise<AdjustmentResult> {
  return inTransaction(deps.db, async (tx): Promise<AdjustmentResult> => {
    const order = await lockOrder(tx, orderId)
    if (!order) return { ok: false, reason: 'not-found' }
    if (order.version !== version) return { ok: false, reason: 'changed' }
    const adjustment = await decide(tx, order, (await findOrderMoney(tx, orderId))!)
    if (typeof adjustment === 'string') return { ok: false, reason: adjustment }
    await writeAdjustment(tx, orderId, adjustment, clerk, deps.now())
    await raiseOrderVersion(tx, orderId, deps.now())
    return { ok: true }
  })
}
