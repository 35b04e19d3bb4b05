import { parseAmount } from '#features/payments/amounts.ts'
import type { AttemptRef, PaidOutcome, PaymentOutcome } from '#features/payments/gateway.ts'
import { dhakaInstant } from './gateway-time.ts'
import { textOf, type JsonObject } from './response-fields.ts'

const PAID = ['VALID', 'VALIDATED']
const OVER = ['FAILED', 'CANCELLED', 'EXPIRED', 'UNATTEMPTED']

export const isPaid = (json: JsonObject) => PAID.includes(textOf(json, 'status'))

/** Null when the call itself was not served (wrong store, store switched off): that says nothing of the payment. */
export function isServed(json: JsonObject): boolean {
  const connect = textOf(json, 'APIConnect')
  return connect === '' || connect === 'DONE'
}

/** One transaction as SSLCommerz describes it in its validation and query answers. */
export function transactionOutcome(json: JsonObject, attempt: AttemptRef, storeId: string): PaymentOutcome {
  const status = textOf(json, 'status')
  if (isPaid(json)) return paidOutcome(json, attempt, storeId)
  if (OVER.includes(status)) {
    const reason = textOf(json, 'error') || status.toLowerCase()
    return status === 'CANCELLED' ? { state: 'failed', reason, isCancelled: true } : { state: 'failed', reason }
  }
  if (status === 'PENDING') return { state: 'pending', inFlight: true }
  return { state: 'unknown', detail: `status ${status.slice(0, 40) || 'missing'}` }
}

function paidOutcome(json: JsonObject, attempt: AttemptRef, storeId: string): PaymentOutcome {
  const amountPoisha = paidAmount(json)
  const eventId = textOf(json, 'val_id') || textOf(json, 'bank_tran_id')
  if (amountPoisha === null || eventId === '') return { state: 'unknown', detail: 'paid without amount or id' }
  const named = textOf(json, 'store_id')
  return {
    state: 'paid',
    eventId,
    gatewayTxn: textOf(json, 'bank_tran_id') || eventId,
    gatewayRef: attempt.gatewayRef,
    tranId: textOf(json, 'tran_id') || attempt.tranId,
    amountPoisha,
    currency: textOf(json, 'currency_type') || textOf(json, 'currency'),
    ours: named === '' || named === storeId,
    risky: !['', '0'].includes(textOf(json, 'risk_level')),
    instrument: textOf(json, 'card_type').slice(0, 80),
    paidAt: dhakaInstant(textOf(json, 'tran_date')),
    extra: [],
  }
}

/** Two fields tell the sum; when they disagree the smaller one is compared with what was asked for. */
function paidAmount(json: JsonObject) {
  const given = ['currency_amount', 'amount'].filter((key) => textOf(json, key) !== '').map((key) => parseAmount(json[key]))
  if (given.length === 0) return null
  return given.reduce((least, one) => (least === null || one === null ? null : one < least ? one : least))
}

/**
 * All tries under one `tran_id`. A paid one wins over failed ones; further paid ones are listed as `extra`.
 * Nothing found means nobody has tried yet, not that nobody will.
 */
export function tranIdOutcome(json: JsonObject, attempt: AttemptRef, storeId: string): PaymentOutcome {
  const list = json['element']
  const tries = Array.isArray(list) ? list.filter((one): one is JsonObject => typeof one === 'object' && one !== null) : []
  if (tries.length === 0) return { state: 'pending', inFlight: false }
  const outcomes = tries.map((one) => transactionOutcome(one, attempt, storeId))
  const paid = distinct(outcomes.filter((one) => one.state === 'paid'))
  const [first, ...rest] = paid
  if (first) return { ...first, extra: rest }
  return outcomes.find((one) => one.state === 'unknown') ?? outcomes.find((one) => one.state === 'pending') ?? outcomes.at(-1)!
}

function distinct(paid: PaidOutcome[]): PaidOutcome[] {
  const byEvent = new Map(paid.map((one) => [one.eventId, one]))
  return [...byEvent.values()].sort((a, b) => (a.eventId < b.eventId ? -1 : 1))
}
