// The interface to an SMS provider. An adapter calls the provider; a simulator (dev/) stands in for it in the demo shop and in tests.
//
// The shop retries only messages that the provider certainly did not accept. After a missing or unreadable response the state is
// `unknown`, and the staff decide.
import type { Poisha } from '#lib/format/money.ts'

/** The timeout of a call to the provider. */
export const SMS_CALL_MS = 15_000
/** How long a page waits for a call to the provider. */
export const SMS_WAIT_MS = SMS_CALL_MS + 5_000

/** The reason to pause sending. */
export type SmsProblem = 'balance' | 'account' | 'unreachable'

export type SmsOutcome =
  | { state: 'submitted'; reference: string | null }
  /** `canRetry`: a retry may succeed. `problem`: the cause affects all messages. */
  | { state: 'rejected'; code: string; canRetry: boolean; problem: SmsProblem | null }
  | { state: 'unknown'; detail: string }

export type SmsBalance = { ok: true; poisha: Poisha } | { ok: false; detail: string }

/** Does not throw for errors of the network or the provider; a thrown error is a bug of the shop. */
export type SmsGateway = {
  /** Sends one message once. `phone` is `01XXXXXXXXX`. An aborted signal gives `unknown`. */
  send(message: { phone: string; text: string }, signal?: AbortSignal): Promise<SmsOutcome>
  balance(): Promise<SmsBalance>
}
