// The interface of a payment gateway. Each company has one adapter in gateways/; dev/payment-simulator speaks the companies' protocols
// for the demo shop and the tests.
//
// A missing or unreadable response is `unknown`, and `unknown` never changes an order. Data from a browser is never trusted: it is a hint
// that names the payment to query.
import type { HttpLog } from '#lib/http/http-client.server.ts'
import type { Poisha } from '#lib/format/money.ts'

export const GATEWAY_NAMES = ['sslcommerz', 'bkash'] as const
export type GatewayName = (typeof GATEWAY_NAMES)[number]

/** What a request names: `pgw` stands for the default gateway. */
export const REQUESTED_GATEWAYS = [...GATEWAY_NAMES, 'pgw'] as const

/** Timeout of requests that call a gateway, longer than that of the adapters. */
export const GATEWAY_WAIT_MS = 45_000

/** Characters that are stored of a gateway's text about a failure. */
export const MAX_FAILURE_LENGTH = 300

/** One attempt to pay, as sent to the gateway. `tranId` is new for each attempt, at most 30 characters. */
export type PaymentRequest = {
  tranId: string
  orderId: number
  amountPoisha: Poisha
  customer: { name: string; email: string; phone: string; address: string; city: string }
  productNames: readonly string[]
  itemCount: number
  /** Absolute addresses. A gateway with a single return address uses `success`. */
  returnUrls: { success: string; fail: string; cancel: string; notify: string }
}

/** `rejected`: the gateway declined. `unknown`: no readable response, so the session may exist at the gateway. */
export type SessionResult =
  | { ok: true; redirectUrl: string; gatewayRef: string }
  | { ok: false; reason: 'rejected' | 'unknown'; detail: string }

/** Identifies an attempt at its gateway. `gatewayRef` is null when the gateway never confirmed the session. */
export type AttemptRef = { tranId: string; gatewayRef: string | null; amountPoisha: Poisha }

/** Data from a browser or a notification: never proof, it only names the payment to query. */
export type PaymentHint = {
  tranId?: string | undefined
  gatewayRef?: string | undefined
  /** The gateway's id of one successful payment (SSLCommerz `val_id`). */
  confirmationId?: string | undefined
  /** The status that the hint claims. */
  claimedStatus?: string | undefined
  /** Whether the signature is valid; only logged. */
  isSigned?: boolean | undefined
}

/** A payment that the gateway reports. Amount, currency, `tranId` and `isOurs` are still to be verified. */
export type PaidOutcome = {
  state: 'paid'
  /** Idempotency key: the same for each repetition of the same payment. */
  eventId: string
  /** The id on the customer's statement, used by staff and by refunds. */
  gatewayTxn: string
  gatewayRef: string | null
  tranId: string
  amountPoisha: Poisha
  currency: string
  /** False when the response names another shop's account. */
  isOurs: boolean
  /** The gateway asks for a review by the staff. */
  isRisky: boolean
  /** The means of payment as a text: `BKASH-BKash`, `VISA-Dutch Bangla`. */
  instrument: string
  paidAt: Date | null
  /** Further payments under the same `tranId`, to be refunded. */
  extra: readonly { eventId: string; gatewayTxn: string; amountPoisha: Poisha; currency: string }[]
}

/** What the ledger needs of a payment. */
export type Receipt = Pick<PaidOutcome, 'eventId' | 'gatewayTxn' | 'amountPoisha'>

/** A payment as JSON in the row of its event. Further payments under one attempt are stored with their receipt only. */
export type GatewayEventDetail = Receipt & Partial<Omit<PaidOutcome, 'paidAt'>> & { paidAt?: string | null }

/** `pending.inFlight`: the gateway is processing a payment; false: none was made yet. */
export type PaymentOutcome =
  | PaidOutcome
  /** `isCancelled`: the payer pressed the cancel button of the payment page. */
  | { state: 'failed'; reason: string; isCancelled?: boolean }
  | { state: 'pending'; inFlight: boolean }
  | { state: 'unknown'; detail: string }

export type RefundRequest = {
  /** Ours, new for each refund, at most 30 characters. */
  refundId: string
  gatewayTxn: string
  gatewayRef: string | null
  amountPoisha: Poisha
  reason: string
}

/** `not-sent`: the request did not leave the shop, so it may be sent again. `unknown`: it may have been carried out. */
export type RefundOutcome =
  | { state: 'refunded'; refundRef: string }
  | { state: 'processing'; refundRef: string }
  | { state: 'refused'; reason: string }
  | { state: 'not-sent'; detail: string }
  | { state: 'unknown'; detail: string }

/** A sent refund. `refundRef` is null while the gateway has not named it; `otherRefs` belong to other refunds of the same payment. */
export type RefundRef = {
  refundRef: string | null
  gatewayTxn: string
  gatewayRef: string | null
  amountPoisha: Poisha
  otherRefs: readonly string[]
}

/** Network and gateway failures are results; a thrown error is a bug of the adapter. */
export type Gateway = {
  name: GatewayName
  /** Reads the fields of a browser's return or a notification as a hint. Null when they name no payment. */
  readHint(fields: Readonly<Record<string, string>>): PaymentHint | null
  createSession(payment: PaymentRequest): Promise<SessionResult>
  /** Completes the hinted payment. May move money (bKash), so call it only while the order is payable. */
  confirm(attempt: AttemptRef, hint: PaymentHint): Promise<PaymentOutcome>
  /** Reads the state of an attempt. Has no effect; safe to repeat. */
  query(attempt: AttemptRef): Promise<PaymentOutcome>
  /** Refunds money. After an `unknown` outcome the refund is queried, never sent again. */
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** Reads the state of a refund. `refused`: the refund itself failed. `unknown`: the query failed. */
  refundStatus(refund: RefundRef): Promise<RefundOutcome>
  /** Whether the gateway accepts the shop's credentials. Has no effect. */
  ping(): Promise<GatewayPing>
}

export type GatewayPing = { ok: true } | { ok: false; detail: string }

export type GatewayLog = HttpLog

/** The configured gateways. `default` is what `payment_gateway: "pgw"` means; null when there is none. */
export type Gateways = { [name in GatewayName]?: Gateway } & { default: GatewayName | null }
