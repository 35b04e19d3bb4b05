import type {
  AttemptRef,
  Gateway,
  GatewayLog,
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
import { sendHttpRequest, type HttpResult } from '#lib/http/http-client.server.ts'
import { truncate } from '#lib/format/text.ts'
import { sessionFields } from '#features/payments/gateways/sslcommerz-fields.ts'
import { isFailureOfOther, isServed, tranIdOutcome, transactionOutcome } from '#features/payments/gateways/sslcommerz-outcome.ts'
import { isSigned } from '#features/payments/gateways/sslcommerz-signature.server.ts'
import { LogThrottle } from '#lib/runtime/log-throttle.ts'
import { decimalTaka } from '#lib/format/money.ts'

export type SslcommerzConfig = {
  storeId: string
  storePassword: string
  /** `https://securepay.sslcommerz.com`, the sandbox host, or the simulator. No slash at the end. */
  baseUrl: string
  /** Replaces a missing e-mail address. At most 50 characters. */
  fallbackEmail: string
  log: GatewayLog
  timeoutMs?: number
}

const SESSION = '/gwprocess/v4/api.php'
const VALIDATION = '/validator/api/validationserverAPI.php'
const TRANSACTIONS = '/validator/api/merchantTransIDvalidationAPI.php'

/**
 * SSLCommerz v4. Every call has the store's password in its form or query, as the vendor requires, so URLs are never logged. The signature of
 * a notification is only logged; the validation call decides.
 */
export function sslcommerzGateway(config: SslcommerzConfig): Gateway {
  const credentials = { store_id: config.storeId, store_passwd: config.storePassword }
  const timeoutMs = config.timeoutMs ?? 30_000
  const { baseUrl, log } = config
  const unsigned = new LogThrottle()

  const call = (name: string, path: string, fields: Record<string, string>): Promise<HttpResult> => {
    const query = new URLSearchParams({ ...fields, ...credentials, v: '1', format: 'json' })
    return sendHttpRequest({ call: `sslcommerz ${name}`, url: `${baseUrl}${path}?${query}`, method: 'GET', timeoutMs, log })
  }

  const query = async (attempt: AttemptRef): Promise<PaymentOutcome> => {
    const answer = readResponse(await call('query', TRANSACTIONS, { tran_id: attempt.tranId }))
    return answer.ok ? tranIdOutcome(answer.json, attempt, config.storeId) : answer.unknown
  }

  return {
    name: 'sslcommerz',
    query,

    readHint(fields): PaymentHint | null {
      const tranId = idOf(fields['tran_id'], 30)
      if (tranId === undefined) return null
      const isValid = isSigned(fields, config.storePassword)
      const claimedStatus = fields['status']?.slice(0, 20)
      if (!isValid)
        unsigned.run((more) => log.warn({ tranId, status: claimedStatus, ...more }, 'sslcommerz notification has no valid signature'))
      return { tranId, confirmationId: idOf(fields['val_id'], 50), claimedStatus, isSigned: isValid }
    },

    async createSession(payment: PaymentRequest): Promise<SessionResult> {
      const body = new URLSearchParams({ ...credentials, ...sessionFields(payment, config.fallbackEmail) }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return sessionResult(
        await sendHttpRequest({ call: 'sslcommerz session', url: baseUrl + SESSION, method: 'POST', headers, body, timeoutMs, log }),
      )
    },

    async confirm(attempt, hint): Promise<PaymentOutcome> {
      const id = hint.confirmationId
      if (id === undefined) return query(attempt)
      const answer = readResponse(await call('validate', VALIDATION, { val_id: id }))
      if (!answer.ok) return answer.unknown
      // A forged id, or that of another payment without success, says nothing about the payment, so the payment is queried by `tran_id`.
      if (textOf(answer.json, 'status') === 'INVALID_TRANSACTION' || isFailureOfOther(answer.json, attempt)) return query(attempt)
      return transactionOutcome(answer.json, attempt, config.storeId)
    },

    async refund(request: RefundRequest): Promise<RefundOutcome> {
      const fields = {
        bank_tran_id: request.gatewayTxn,
        refund_trans_id: request.refundId,
        refund_amount: decimalTaka(request.amountPoisha),
        refund_remarks: truncate(request.reason, 255),
      }
      const answer = await call('refund', TRANSACTIONS, fields)
      const connect = answer.answered ? textOf(answer.json, 'APIConnect') : ''
      if (REJECTED.includes(connect)) return { state: 'refused', reason: `APIConnect ${connect}` }
      const served = readResponse(answer)
      return served.ok ? refundOutcome(served.json) : served.unknown
    },

    async refundStatus(refund: RefundRef): Promise<RefundOutcome> {
      // The status call takes only the gateway's id of a refund.
      if (refund.refundRef === null) return { state: 'unknown', detail: 'no refund_ref_id' }
      const answer = readResponse(await call('refund status', TRANSACTIONS, { refund_ref_id: refund.refundRef }))
      if (!answer.ok) return answer.unknown
      // Not every answer names the refund.
      const named = textOf(answer.json, 'refund_ref_id')
      return named === '' || named === refund.refundRef ? refundOutcome(answer.json) : { state: 'unknown', detail: 'another refund' }
    },

    async ping(): Promise<GatewayPing> {
      // A transaction that does not exist: the gateway answers only after it has checked the store.
      const answer = readResponse(await call('ping', TRANSACTIONS, { tran_id: 'khamar-ping' }))
      return answer.ok ? { ok: true } : { ok: false, detail: answer.unknown.detail }
    },
  }
}

/** The call itself was rejected (credentials, IP address, disabled store): nothing was done. */
const REJECTED = ['INVALID_REQUEST', 'INACTIVE']

type ReadResponse = { ok: true; json: JsonObject } | { ok: false; unknown: { state: 'unknown'; detail: string } }

function readResponse(answer: HttpResult): ReadResponse {
  if (!answer.answered) return { ok: false, unknown: { state: 'unknown', detail: answer.detail } }
  if (answer.status !== 200) return { ok: false, unknown: { state: 'unknown', detail: `http-${answer.status}` } }
  if (!isServed(answer.json))
    return { ok: false, unknown: { state: 'unknown', detail: 'not served: ' + textOf(answer.json, 'APIConnect') } }
  return { ok: true, json: answer.json }
}

function sessionResult(answer: HttpResult): SessionResult {
  if (!answer.answered) return { ok: false, reason: 'unknown', detail: answer.detail }
  const { json } = answer
  if (textOf(json, 'status') === 'FAILED')
    return { ok: false, reason: 'rejected', detail: truncate(textOf(json, 'failedreason'), 200) || 'FAILED' }
  const redirectUrl = textOf(json, 'GatewayPageURL')
  const gatewayRef = textOf(json, 'sessionkey')
  if (textOf(json, 'status') !== 'SUCCESS' || gatewayRef === '' || !isWebUrl(redirectUrl)) {
    return { ok: false, reason: 'unknown', detail: `http-${answer.status} without a session` }
  }
  return { ok: true, redirectUrl, gatewayRef }
}

/** `success` of the refund call means accepted; only the status call returns `refunded`. */
function refundOutcome(json: JsonObject): RefundOutcome {
  const status = textOf(json, 'status')
  const refundRef = textOf(json, 'refund_ref_id')
  if (status === 'refunded') return { state: 'refunded', refundRef }
  if ((status === 'success' || status === 'processing') && refundRef !== '') return { state: 'processing', refundRef }
  if (status === 'failed' || status === 'cancelled') return { state: 'refused', reason: textOf(json, 'errorReason') || status }
  return { state: 'unknown', detail: `status ${status.slice(0, 40) || 'missing'}` }
}
