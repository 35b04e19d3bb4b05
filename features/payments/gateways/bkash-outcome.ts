import { parseGatewayAmount } from '#features/payments/amounts.ts'
import type { AttemptRef, PaymentOutcome } from '#features/payments/gateway.ts'
import { parseGatewayTime } from './gateway-time.ts'
import { textOf, type JsonObject } from './response-fields.ts'

/** Codes of a final failure, after which no money moved: wrong PIN or OTP, no balance, no account, wallet closed. */
const FINAL_FAILURES = ['2014', '2015', '2016', '2017', '2018', '2019', '2023', '2057', '2058']
const CANCELLED = ['Cancelled', 'Canceled']
const OVER = ['Failed', 'Failure', 'Declined', 'Expired']

/** The error code of a response, '' when it is no error. bKash has three shapes of errors. */
export function errorCode(json: JsonObject): string {
  const status = textOf(json, 'statusCode')
  if (status !== '') return status === '0000' ? '' : status
  return textOf(json, 'errorCode') || (textOf(json, 'message') && 'message')
}

export const isFinalFailure = (code: string) => FINAL_FAILURES.includes(code)

/** The outcome in a response of execute or query. */
export function bkashOutcome(json: JsonObject, attempt: AttemptRef): PaymentOutcome {
  const status = textOf(json, 'transactionStatus')
  if (status === 'Completed') return completed(json, attempt)
  if (status === 'Initiated') return { state: 'pending', inFlight: false }
  if (CANCELLED.includes(status)) return { state: 'failed', reason: status.toLowerCase(), isCancelled: true }
  if (OVER.includes(status)) return { state: 'failed', reason: status.toLowerCase() }
  if (status !== '') return { state: 'pending', inFlight: true }
  return { state: 'unknown', detail: 'no transactionStatus' }
}

function completed(json: JsonObject, attempt: AttemptRef): PaymentOutcome {
  const amountPoisha = parseGatewayAmount(json['amount'])
  const trxId = textOf(json, 'trxID')
  if (amountPoisha === null || amountPoisha === 0 || trxId === '') return { state: 'unknown', detail: 'completed without amount or trxID' }
  const paymentId = textOf(json, 'paymentID')
  return {
    state: 'paid',
    eventId: trxId,
    gatewayTxn: trxId,
    gatewayRef: attempt.gatewayRef,
    tranId: textOf(json, 'merchantInvoiceNumber') || textOf(json, 'merchantInvoice') || attempt.tranId,
    amountPoisha,
    currency: textOf(json, 'currency') || 'BDT',
    isOurs: paymentId === '' || paymentId === attempt.gatewayRef,
    isRisky: false,
    instrument: 'bKash',
    paidAt: parseGatewayTime(textOf(json, 'paymentExecuteTime')),
    extra: [],
  }
}
