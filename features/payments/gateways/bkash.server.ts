import { parseGatewayAmount } from '#features/payments/amounts.ts'
import type {
  AttemptRef,
  Gateway,
  GatewayPing,
  PaymentHint,
  PaymentOutcome,
  PaymentRequest,
  RefundOutcome,
  RefundRef,
  RefundRequest,
  SessionResult,
} from '#features/payments/gateway.ts'
import { idOf, isWebUrl, textOf, type JsonObject } from './response-fields.ts'
import { bkashOutcome, isFinalFailure, errorCode } from '#features/payments/gateways/bkash-outcome.ts'
import type { HttpResult } from '#lib/http/http-client.server.ts'
import { truncate } from '#lib/format/text.ts'
import { bkashClient, type BkashConfig } from './bkash-client.server.ts'
import { decimalTaka } from '#lib/format/money.ts'

/**
 * bKash tokenised checkout. Money moves only on `execute`, which `confirm` calls; `status=success` in a return URL is a claim of the browser.
 * bKash rejects shops that query after each success, so `confirm` queries only when execute gave no clear response.
 */
export function bkashGateway(config: BkashConfig): Gateway {
  const { log } = config
  const { send, token } = bkashClient(config)

  const query = async (attempt: AttemptRef): Promise<PaymentOutcome> => {
    // Without a paymentID the payment page was never opened.
    if (attempt.gatewayRef === null) return { state: 'pending', inFlight: false }
    const answer = await send('payment/status', { paymentID: attempt.gatewayRef })
    if (!answer.answered) return { state: 'unknown', detail: answer.detail }
    const code = errorCode(answer.json)
    return code === '' ? bkashOutcome(answer.json, attempt) : { state: 'unknown', detail: `code ${code}` }
  }

  return {
    name: 'bkash',
    query,

    async ping(): Promise<GatewayPing> {
      const granted = await token()
      return granted.ok ? { ok: true } : { ok: false, detail: granted.detail }
    },

    readHint(fields): PaymentHint | null {
      const gatewayRef = idOf(fields['paymentID'], 100)
      return gatewayRef === undefined ? null : { gatewayRef, claimedStatus: fields['status']?.slice(0, 20) }
    },

    async createSession(payment: PaymentRequest): Promise<SessionResult> {
      return sessionResult(await send('create', sessionFields(payment)))
    },

    async confirm(attempt, hint): Promise<PaymentOutcome> {
      if (attempt.gatewayRef === null || hint.claimedStatus !== 'success') return query(attempt)
      const answer = await send('execute', { paymentID: attempt.gatewayRef })
      if (!answer.sent) return { state: 'unknown', detail: answer.answered ? 'not sent' : answer.detail }
      if (!answer.answered) return query(attempt)
      const code = errorCode(answer.json)
      if (code === '') return bkashOutcome(answer.json, attempt)
      log.warn({ gatewayRef: attempt.gatewayRef, code }, 'bkash rejected execute')
      return isFinalFailure(code) ? { state: 'failed', reason: failureText(answer.json, code) } : query(attempt)
    },

    async refund(request: RefundRequest): Promise<RefundOutcome> {
      const answer = await send('payment/refund', refundFields(request))
      // A rejected token means that nothing was done.
      if (!answer.sent || (answer.answered && answer.status === 401)) return { state: 'not-sent', detail: detailOf(answer) }
      return refundOutcome(answer)
    },

    async refundStatus(refund: RefundRef): Promise<RefundOutcome> {
      const answer = await send('payment/refund/status', { paymentID: refund.gatewayRef, trxID: refund.gatewayTxn })
      return refundStatusOutcome(answer, refund)
    },
  }
}

const sessionFields = (payment: PaymentRequest) => ({
  mode: '0011',
  payerReference: payment.customer.phone,
  callbackURL: payment.returnUrls.success,
  amount: decimalTaka(payment.amountPoisha),
  currency: 'BDT',
  intent: 'sale',
  merchantInvoiceNumber: payment.tranId,
})

const refundFields = (request: RefundRequest) => ({
  paymentID: request.gatewayRef,
  trxID: request.gatewayTxn,
  amount: decimalTaka(request.amountPoisha),
  sku: request.refundId,
  reason: truncate(request.reason, 255),
})

const failureText = (json: JsonObject, code: string) =>
  truncate(textOf(json, 'statusMessage') || textOf(json, 'errorMessage') || textOf(json, 'message') || code, 200)

function sessionResult(answer: HttpResult): SessionResult {
  if (!answer.answered) return { ok: false, reason: 'unknown', detail: answer.detail }
  const code = errorCode(answer.json)
  if (code !== '') return { ok: false, reason: 'rejected', detail: `${code} ${failureText(answer.json, code)}` }
  const gatewayRef = textOf(answer.json, 'paymentID')
  const redirectUrl = textOf(answer.json, 'bkashURL')
  if (gatewayRef === '' || !isWebUrl(redirectUrl)) return { ok: false, reason: 'unknown', detail: 'no paymentID' }
  return { ok: true, redirectUrl, gatewayRef }
}

function refundOutcome(answer: HttpResult): RefundOutcome {
  if (!answer.answered) return { state: 'unknown', detail: answer.detail }
  const code = errorCode(answer.json)
  if (code === '503' || code === '9999' || code === 'message') return { state: 'unknown', detail: `code ${code}` }
  if (code !== '') return { state: 'refused', reason: failureText(answer.json, code) }
  return refundState(answer.json)
}

/** bKash returns the payment's latest refund. Another refund's id or sum, or an error, leaves the state `unknown`. */
function refundStatusOutcome(answer: HttpResult, refund: RefundRef): RefundOutcome {
  if (!answer.answered) return { state: 'unknown', detail: answer.detail }
  const code = errorCode(answer.json)
  if (code !== '') return { state: 'unknown', detail: `code ${code}` }
  const ref = textOf(answer.json, 'refundTrxID')
  const isOther = refund.refundRef === null ? refund.otherRefs.includes(ref) : ref !== refund.refundRef
  const amount = parseGatewayAmount(answer.json['amount'] ?? answer.json['refundAmount'])
  if (isOther || amount !== refund.amountPoisha) return { state: 'unknown', detail: 'another refund' }
  return refundState(answer.json)
}

function refundState(json: JsonObject): RefundOutcome {
  const refundRef = textOf(json, 'refundTrxID')
  const status = textOf(json, 'transactionStatus')
  if (refundRef === '') return { state: 'unknown', detail: 'no refundTrxID' }
  if (FAILED_REFUND.includes(status)) return { state: 'refused', reason: status.toLowerCase() }
  return status === 'Completed' ? { state: 'refunded', refundRef } : { state: 'processing', refundRef }
}

const FAILED_REFUND = ['Failed', 'Failure', 'Cancelled', 'Declined', 'Reversed']

const detailOf = (answer: HttpResult) => (answer.answered ? `http-${answer.status}` : answer.detail)
