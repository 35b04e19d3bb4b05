import { parseGatewayAmount } from '#features/payments/amounts.ts'
import type { AttemptRef, PaidOutcome, PaymentOutcome } from '#features/payments/gateway.ts'
import { verifyPayment } from '#features/payments/payment-verification-rules.ts'
import { parseGatewayTime } from './gateway-time.ts'
import { textOf, type JsonObject } from './response-fields.ts'

const PAID = ['VALID', 'VALIDATED']
const OVER = ['FAILED', 'CANCELLED', 'EXPIRED', 'UNATTEMPTED']

export const isPaid = (json: JsonObject) => PAID.includes(textOf(json, 'status'))

/** Whether a validation response names another attempt and no payment: the notification had a forged `val_id`. */
export function isFailureOfOther(json: JsonObject, { tranId }: AttemptRef): boolean {
  return !isPaid(json) && !['', tranId].includes(textOf(json, 'tran_id'))
}

/** False when the call itself was rejected (wrong store, disabled store); the response then has no payment state. */
export function isServed(json: JsonObject): boolean {
  const connect = textOf(json, 'APIConnect')
  return connect === '' || connect === 'DONE'
}

/** The outcome of one transaction in a validation or query response. */
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
  if (amountPoisha === null || amountPoisha === 0 || eventId === '') return { state: 'unknown', detail: 'paid without amount or id' }
  const named = textOf(json, 'store_id')
  return {
    state: 'paid',
    eventId,
    gatewayTxn: textOf(json, 'bank_tran_id') || eventId,
    gatewayRef: attempt.gatewayRef,
    tranId: textOf(json, 'tran_id') || attempt.tranId,
    amountPoisha,
    currency: textOf(json, 'currency_type') || textOf(json, 'currency'),
    isOurs: named === '' || named === storeId,
    isRisky: !['', '0'].includes(textOf(json, 'risk_level')),
    instrument: textOf(json, 'card_type').slice(0, 80),
    paidAt: parseGatewayTime(textOf(json, 'tran_date')),
    extra: [],
  }
}

/** The smaller of the two amount fields; null when one is invalid. */
function paidAmount(json: JsonObject) {
  const amounts = ['currency_amount', 'amount'].filter((key) => textOf(json, key) !== '').map((key) => parseGatewayAmount(json[key]))
  if (amounts.length === 0) return null
  return amounts.reduce((least, one) => (least === null || one === null ? null : one < least ? one : least))
}

/**
 * The outcome of all transactions under one `tran_id`. A paid one has priority over failed ones, an acceptable one over those that need a
 * review; further paid ones are listed in `extra`. Those of other attempts count only where there is nothing else. Without a transaction the
 * attempt is pending: it may still be paid.
 */
export function tranIdOutcome(json: JsonObject, attempt: AttemptRef, storeId: string): PaymentOutcome {
  const list = json['element']
  const transactions = Array.isArray(list) ? list.filter((one): one is JsonObject => typeof one === 'object' && one !== null) : []
  if (transactions.length === 0) return { state: 'pending', inFlight: false }
  const all = transactions.map((one) => transactionOutcome(one, attempt, storeId))
  const own = all.filter((one) => one.state !== 'paid' || verifyPayment(one, attempt) !== 'wrong-attempt')
  const outcomes = own.length > 0 ? own : all
  const paid = distinct(
    outcomes.filter((one) => one.state === 'paid'),
    attempt,
  )
  const [first, ...rest] = paid
  if (first) return { ...first, extra: rest }
  return outcomes.find((one) => one.state === 'unknown') ?? outcomes.find((one) => one.state === 'pending') ?? outcomes.at(-1)!
}

function distinct(paid: PaidOutcome[], attempt: AttemptRef): PaidOutcome[] {
  const byEvent = new Map(paid.map((one) => [one.eventId, one]))
  const rank = (one: PaidOutcome) => Number(verifyPayment(one, attempt) !== 'accept')
  return [...byEvent.values()].sort((a, b) => rank(a) - rank(b) || (a.eventId < b.eventId ? -1 : 1))
}
