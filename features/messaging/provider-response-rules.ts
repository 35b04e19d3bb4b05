// Reads the responses of BulkSMSBD. The provider has no idempotency keys, so a message that may have been sent is never retried.
//
// 202: accepted. Codes from 1000: rejected, because of the message (number, language), of the account, or of a temporary failure (1005). A
// used-up balance pauses all sending.
import type { HttpResult } from '#lib/http/http-client.server.ts'
import { readTaka, type Poisha } from '#lib/format/money.ts'
import type { SmsBalance, SmsOutcome, SmsProblem } from './gateway.ts'

const ACCEPTED = '202'
const TEMPORARY_FAILURE = '1005'
/** Invalid number; a missing field; the text of a named sender must be Bengali. */
const MESSAGE_ERRORS = ['1001', '1003', '1012']
/** The balance has expired or is used up. */
const BALANCE_ERRORS = ['1006', '1007']

/** Connection errors after which the message was certainly not sent. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/

/** The outcome of sending one message. */
export function sendOutcome(answer: HttpResult): SmsOutcome {
  if (answer.answered && answer.status < 400) return ofCode(answer.json)
  if (answer.status !== undefined) return ofStatus(answer.status)
  const detail = answer.answered ? 'unreadable' : answer.detail
  return NEVER_CONNECTED.test(detail) ? rejected(detail, true, 'unreachable') : { state: 'unknown', detail }
}

function ofCode(json: Readonly<Record<string, unknown>>): SmsOutcome {
  const code = fieldText(json.response_code)
  if (code === ACCEPTED) return { state: 'submitted', reference: fieldText(json.message_id) || null }
  if (code === TEMPORARY_FAILURE) return rejected(code, true, null)
  if (MESSAGE_ERRORS.includes(code)) return rejected(code, false, null)
  if (BALANCE_ERRORS.includes(code)) return rejected(code, true, 'balance')
  if (/^10\d\d$/.test(code)) return rejected(code, true, 'account')
  return { state: 'unknown', detail: code === '' ? 'no-code' : `code-${code.slice(0, 20)}` }
}

/** A server error means not sent. A proxy error (502, 504, 52x) or a page with status 200 is unknown. */
function ofStatus(status: number): SmsOutcome {
  const code = `http-${status}`
  if (status === 429) return rejected(code, true, null)
  if (status >= 400 && status < 500) return rejected(code, true, 'account')
  return status === 500 || status === 501 || status === 503
    ? rejected(code, true, null)
    : { state: 'unknown', detail: status < 400 ? 'not-json' : code }
}

function rejected(code: string, canRetry: boolean, problem: SmsProblem | null): SmsOutcome {
  return { state: 'rejected', code, canRetry, problem }
}

/** The balance at the provider. */
export function balanceOf(answer: HttpResult): SmsBalance {
  if (!answer.answered) return { ok: false, detail: answer.detail }
  const text = fieldText(answer.json.balance)
  const amount: Poisha | null = /^-?\d+(\.\d+)?$/.test(text) ? readTaka(Math.round(Number(text) * 100) / 100) : null
  return amount === null
    ? { ok: false, detail: fieldText(answer.json.response_code).slice(0, 20) || 'unreadable' }
    : { ok: true, poisha: amount }
}

function fieldText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, 100) : ''
}

/** A balance below this is low. It is enough for a few hundred messages. */
export const LOW_BALANCE_TAKA = 200

/** The sender, key, account or address of the server: codes 1002, 1011, 1013 to 1032, and HTTP 401 and 403; or the address of the provider: 404 and 405. */
const ABOUT_THE_ACCOUNT = /^(1002|1011|101[3-9]|102\d|103[0-2]|http-40[1345])$/

/** Whether a rejection uses up an attempt of the message: not when it is certainly about the account, the balance or the network. */
export function usesUpAttempt({ problem, code }: { problem: SmsProblem | null; code: string }): boolean {
  return problem === null || (problem === 'account' && !ABOUT_THE_ACCOUNT.test(code))
}

const FIRST_WAIT_SECONDS = 15
const MAX_WAIT_SECONDS = 1800

/** Attempts for a message that the provider did not accept; then the staff decide. */
export const MAX_ATTEMPTS = 6

/** Exponential backoff in seconds after a number of attempts: from 15 seconds to 30 minutes. */
export function waitSeconds(attempts: number): number {
  return Math.min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.max(0, attempts - 1))
}
