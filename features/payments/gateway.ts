// What the shop asks of a company that takes money for it. Each company is one adapter in gateways/;
// simulator/ speaks the companies' own protocols for the demo shop and the tests.
//
// One rule stands above the rest: an answer we did not get, or could not read, is `unknown`, and unknown
// never changes an order. Nothing a browser brings back is believed; it is only a hint of what to ask.
import type { ExchangeLog } from '#lib/http/http-client.server.ts'
import type { Poisha } from '#lib/format/money.ts'

export type GatewayName = 'sslcommerz' | 'bkash'

/** A call that opens or settles a payment waits for the company as long as the adapters do. */
export const GATEWAY_WAIT_MS = 45_000

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

/** `rejected`: the gateway said no. `unknown`: no readable answer, so the session may exist over there. */
export type SessionResult =
  | { ok: true; redirectUrl: string; gatewayRef: string }
  | { ok: false; reason: 'rejected' | 'unknown'; detail: string }

/** What identifies an attempt to its gateway. `gatewayRef` is null when the session was never answered. */
export type AttemptRef = { tranId: string; gatewayRef: string | null; amountPoisha: Poisha }

/** What a browser or a notification brought: never proof, only what to ask about. */
export type PaymentHint = {
  tranId?: string | undefined
  gatewayRef?: string | undefined
  /** What the gateway calls this one success (SSLCommerz `val_id`). */
  confirmationId?: string | undefined
  said?: string | undefined
  /** Whether the signature came out right; kept for the record, decides nothing. */
  signed?: boolean | undefined
}

/** Money the gateway itself says it took. Amount, currency, `tranId` and `ours` still have to be compared. */
export type PaidOutcome = {
  state: 'paid'
  /** The same for each repetition of the same payment: it is counted once under this id. */
  eventId: string
  /** The id that staff, the customer's statement and a refund use. */
  gatewayTxn: string
  gatewayRef: string | null
  tranId: string
  amountPoisha: Poisha
  currency: string
  /** False when the answer names another shop's account. */
  ours: boolean
  /** The gateway asks for a human to look before goods are promised. */
  risky: boolean
  /** How it was paid, for people: `BKASH-BKash`, `VISA-Dutch Bangla`. */
  instrument: string
  paidAt: Date | null
  /** More than one payment went through under one `tranId`: the others, for a refund. */
  extra: readonly { eventId: string; gatewayTxn: string; amountPoisha: Poisha }[]
}

/** `pending.inFlight`: the gateway is working on money; false: nobody has paid yet. */
export type PaymentOutcome =
  | PaidOutcome
  /** `isCancelled`: the payer left the payment page by its cancel button. */
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

/** Never throws for what a network or a gateway does; a thrown error is a fault of ours. */
export type Gateway = {
  name: GatewayName
  /** The fields of a browser's return or of a notification, read as a hint. Null when they name no payment. */
  readHint(fields: Readonly<Record<string, string>>): PaymentHint | null
  createSession(payment: PaymentRequest): Promise<SessionResult>
  /** Finishes the payment the hint speaks of. May move money (bKash), so only for an order that still wants it. */
  confirm(attempt: AttemptRef, hint: PaymentHint): Promise<PaymentOutcome>
  /** Only looks. Safe at any time, any number of times. */
  query(attempt: AttemptRef): Promise<PaymentOutcome>
  /** Moves money back once. An `unknown` answer is asked about, never sent again. */
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** Only looks. `refused` means that the refund itself failed; a question that is not answered is `unknown`. */
  refundStatus(refund: RefundRef): Promise<RefundOutcome>
}

export type GatewayLog = ExchangeLog

/** The gateways this shop has. `default` is what `payment_gateway: "pgw"` means; null when there is none. */
export type Gateways = { [name in GatewayName]?: Gateway } & { default: GatewayName | null }
