// Writes fees retained and write-offs of locked orders: ledger entry, order event and, of staff, audit entry.
import { audit } from '#features/audit/audit.server.ts'
import { addOrderEvent, type OrderActor } from '#features/audit/order-events.server.ts'
import { addLedgerEntry, findOrderMoney } from '#features/ledger/ledger.server.ts'
import { ADJUSTMENT_KINDS, type AdjustmentKind, type OrderMoney, recoveredOf } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, poisha, poishaToTaka } from '#lib/format/money.ts'

export interface Adjustment {
  kind: AdjustmentKind
  /** As in the ledger: below zero raises what the order costs. */
  amount: Poisha
  event: 'fee-kept' | 'fee-reversed' | 'written-off' | 'write-off-reversed'
  /** Empty where the shop itself reverses an entry. */
  reason: string
}

/** Adds the entry. The caller raises the version of the order. */
export async function writeAdjustment(
  tx: Db,
  orderId: number,
  { kind, amount, event, reason }: Adjustment,
  actor: OrderActor,
  now: Date,
): Promise<void> {
  await addLedgerEntry(tx, { orderId, kind, method: kind, amount, reference: null, actorId: actor.id, at: now })
  const [taka, why] = [Math.abs(poishaToTaka(amount)), reason === '' ? {} : { reason }]
  await addOrderEvent(tx, orderId, actor, now, { kind: event, detail: { amount: taka, ...why } })
  if (actor.kind === 'staff') await audit(tx, actor, { action: 'changed', subject: 'order', id: orderId, after: { [event]: taka, ...why } })
}

/**
 * Reverses the write-offs of an order, and its fees when `kinds` names them. What the order costs has changed (a return, a final weighing, an
 * end or a reopening), so what was written off for the old sum is no longer right.
 */
export async function reverseAdjustments(
  tx: Db,
  orderId: number,
  actor: OrderActor,
  now: Date,
  kinds: readonly AdjustmentKind[] = ['write_off'],
): Promise<void> {
  const { feePoisha, writtenOffPoisha } = (await findOrderMoney(tx, orderId))!
  const entries: Record<AdjustmentKind, Pick<Adjustment, 'amount' | 'event'>> = {
    fee: { amount: feePoisha, event: 'fee-reversed' },
    write_off: { amount: poisha(-writtenOffPoisha), event: 'write-off-reversed' },
  }
  for (const kind of ADJUSTMENT_KINDS.filter((one) => kinds.includes(one) && entries[one].amount !== 0))
    await writeAdjustment(tx, orderId, { kind, ...entries[kind], reason: '' }, actor, now)
}

/** Reverses the part of a write-off that a payment pays after all. `before`: the sums of the order without the payment. */
export async function reverseRecovered(
  tx: Db,
  orderId: number,
  { before, amount }: { before: Pick<OrderMoney, 'duePoisha' | 'writtenOffPoisha'>; amount: Poisha },
  actor: OrderActor,
  now: Date,
): Promise<void> {
  const recovered = recoveredOf(amount, { due: before.duePoisha, writtenOff: before.writtenOffPoisha })
  if (recovered === 0) return
  const reversal = { kind: 'write_off', amount: poisha(-recovered), event: 'write-off-reversed', reason: '' } as const
  await writeAdjustment(tx, orderId, reversal, actor, now)
}
