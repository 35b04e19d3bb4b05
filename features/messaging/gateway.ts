// What the shop asks of a company that sends text messages for it. An adapter speaks to the company, simulator/ is the
// company for the demo shop and the tests.
//
// The rule above the others: only what the company surely did not take may be sent again by the shop itself. An answer that
// did not come, or cannot be read, is `unknown`, and an unknown message is a matter for people.
import type { Poisha } from '#lib/format/money.ts'

/** Why nothing more should be sent for now. */
export type SmsProblem = 'balance' | 'account' | 'unreachable'

export type SmsOutcome =
  | { state: 'submitted'; reference: string | null }
  /** `again`: another try may succeed. `problem`: it is not about this message, all others would fare alike. */
  | { state: 'rejected'; code: string; again: boolean; problem: SmsProblem | null }
  | { state: 'unknown'; detail: string }

export type SmsBalance = { ok: true; poisha: Poisha } | { ok: false; detail: string }

/** Never throws for what a network or the company does; a thrown error is a fault of ours. */
export type SmsGateway = {
  /** Hands over one message, once. `phone` as the shop keeps it, `01XXXXXXXXX`. An aborted signal gives `unknown`. */
  send(message: { phone: string; text: string }, signal?: AbortSignal): Promise<SmsOutcome>
  balance(): Promise<SmsBalance>
}
