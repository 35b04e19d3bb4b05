import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { isEnded } from '#features/payments/settlement-rules.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db.server.ts'
import { poishaToTaka } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'
import { cleanText } from '#lib/text.ts'
import { lockOrder, type LockedOrder, noteOrder } from '../order-writes.server.ts'
import type { AdvanceMethod } from '../types.ts'
import type { OfficeDeps, OrderClerk } from './office-deps.ts'
import { isTooMuch, writeRow } from './record-payment.server.ts'

export type VerifyResult =
  /** `late`: the order had ended; the money is kept and flagged. */
  | { ok: true; orderId: number; late: boolean }
  /** `too-much`: another sum than was reported, more than is due; kept only when it is sent again as confirmed. */
  | { ok: false; reason: 'not-found' | 'used-transaction-id' | 'reason-required' | 'too-much' }
  | { ok: false; reason: 'decided'; state: 'verified' | 'refused' }

interface Claim {
  id: number
  orderId: number
  method: AdvanceMethod
  transactionId: string
  amountPoisha: Poisha
}

/**
 * Finds in one press that an advance has come [M6]: ledger row, animals sold once it covers their advance, history, SMS. Pressed
 * twice, or by two at once, it counts once. `came` where another sum came than was reported: one that is more than is due is asked about.
 */
export async function verifyAdvance(
  deps: OfficeDeps,
  claimId: number,
  clerk: OrderClerk,
  came: { amount: Poisha | null; confirmed: boolean } = { amount: null, confirmed: false },
): Promise<VerifyResult> {
  const settings = await deps.facts.settings()
  try {
    const isSlip = (order: LockedOrder) => came.amount !== null && !came.confirmed && isTooMuch(came.amount, order)
    const result = await decide(deps, claimId, clerk, 'verified', isSlip, async (tx, order, claim) => {
      const late = isEnded(order.status)
      if (late) await sql`update orders set needs_attention = 'paid-after-end' where id = ${order.id}`.execute(tx)
      const row = {
        kind: 'advance',
        amount: came.amount ?? claim.amountPoisha,
        event: 'advance-verified',
        action: 'verified',
        method: claim.method,
        reference: claim.transactionId,
      } as const
      await writeRow(tx, order, row, clerk, deps.now())
      const shop = orderSmsShop(deps.env.publicUrl, settings)
      const sms = { orderId: order.id, event: `advance-verified-${claim.id}`, text: settings.messages.advanceVerified }
      if (!late) await queueOrderSms(tx, shop, sms)
      return { ok: true, orderId: order.id, late }
    })
    if (result.ok) deps.catalogueChanged()
    return result
  } catch (error) {
    if (constraintOf(error) === 'ledger_entries_method_reference_key') return { ok: false, reason: 'used-transaction-id' }
    throw error
  }
}

/** Says that a reported advance has not come, and why; the buyer hears of it by SMS, and may report again. */
export async function refuseAdvance(deps: OfficeDeps, claimId: number, reason: string, clerk: OrderClerk): Promise<VerifyResult> {
  const why = cleanText(reason).slice(0, 255)
  if (why === '') return { ok: false, reason: 'reason-required' }
  const settings = await deps.facts.settings()
  return decide(
    deps,
    claimId,
    clerk,
    'refused',
    () => false,
    async (tx, order, claim) => {
      const detail = { method: claim.method, transaction_id: claim.transactionId, amount: poishaToTaka(claim.amountPoisha), reason: why }
      await sql`update orders set version = version + 1, updated_at = ${deps.now()} where id = ${order.id}`.execute(tx)
      await noteOrder(tx, order.id, { kind: 'staff', id: clerk.id }, deps.now(), { kind: 'advance-refused', detail })
      await audit(tx, clerk, { action: 'refused', subject: 'order', id: order.id, after: detail })
      const sms = { orderId: order.id, event: `advance-refused-${claim.id}`, text: settings.messages.advanceRefused, more: { reason: why } }
      if (!isEnded(order.status)) await queueOrderSms(tx, orderSmsShop(deps.env.publicUrl, settings), sms)
      return { ok: true, orderId: order.id, late: false }
    },
  )
}

/** The order first, then its claim: whoever comes second finds it decided. */
async function decide(
  deps: OfficeDeps,
  claimId: number,
  clerk: OrderClerk,
  state: 'verified' | 'refused',
  isSlip: (order: LockedOrder) => boolean,
  write: (tx: Db, order: LockedOrder, claim: Claim) => Promise<VerifyResult>,
): Promise<VerifyResult> {
  return inTransaction(deps.db, async (tx): Promise<VerifyResult> => {
    const { rows } = await sql<{ order_id: number }>`select order_id from advance_claims where id = ${claimId}`.execute(tx)
    const order = rows[0] && (await lockOrder(tx, rows[0].order_id))
    if (!order) return { ok: false, reason: 'not-found' }
    if (isSlip(order)) return { ok: false, reason: 'too-much' }
    const { rows: taken } = await sql<Claim>`
      update advance_claims set state = ${state}, decided_at = ${deps.now()}, decided_by = ${clerk.id} where id = ${claimId} and state = 'waiting'
      returning id, order_id as "orderId", method, transaction_id as "transactionId", amount_poisha as "amountPoisha"`.execute(tx)
    if (taken[0]) return write(tx, order, taken[0])
    const { rows: decided } = await sql<{ state: 'verified' | 'refused' }>`select state from advance_claims where id = ${claimId}`.execute(
      tx,
    )
    return { ok: false, reason: 'decided', state: decided[0]!.state }
  })
}
