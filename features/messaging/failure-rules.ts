// Labels for the reasons why a message was not sent or its state is unknown. The admin shows them beside the provider's code.

export type FailureLabel =
  | 'repeat'
  | 'overtaken'
  | 'expired'
  | 'interrupted'
  | 'silent'
  | 'number'
  | 'bengali'
  | 'balance'
  | 'account'
  | 'company'
  | 'line'
  | 'opted-out'
  | 'stopped'
  | 'closed'
  | 'not-configured'

const WORDS: [RegExp, FailureLabel][] = [
  [/^repeat$/, 'repeat'],
  [/^overtaken$/, 'overtaken'],
  [/^opted-out$/, 'opted-out'],
  [/^stopped$/, 'stopped'],
  [/^closed$/, 'closed'],
  [/^not-configured$/, 'not-configured'],
  [/^expired$/, 'expired'],
  [/^(interrupted|aborted|fault)$/, 'interrupted'],
  [/^1001$/, 'number'],
  [/^1012$/, 'bengali'],
  [/^100[67]$/, 'balance'],
  [/^(1005|http-5\d\d|http-429)$/, 'company'],
  [/^(10\d\d|http-4\d\d)$/, 'account'],
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E[A-Z]+UNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_|DEPTH_|SELF_|UNABLE_)/, 'line'],
]

/** The label of a failure code in the outbox. */
export function failureLabel(failure: string): FailureLabel {
  return WORDS.find(([pattern]) => pattern.test(failure))?.[1] ?? 'silent'
}
