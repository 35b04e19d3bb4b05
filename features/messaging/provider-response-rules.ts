// What an answer of BulkSMSBD means. The company gives no key against doubles, so what may have gone out is never tried again.
//
// 202 is taken. A code of 1000 and above is a no: about this message (its number, its language), about the account, or, 1005,
// about a bad moment over there. A balance that is used up stops everything until somebody pays.
import type { Answer } from '#lib/http/http-client.server.ts'
import { readTaka, type Poisha } from '#lib/format/money.ts'
import type { SmsBalance, SmsOutcome, SmsProblem } from './gateway.ts'

const TAKEN = '202'
const BAD_MOMENT = '1005'
/** Invalid number; a field missing; a named sender's text must be Bengali. */
const ABOUT_THE_MESSAGE = ['1001', '1003', '1012']
/** Balance no longer valid, or used up. */
const BALANCE = ['1006', '1007']

/** Nothing of the message had left when these happened. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/

/** What came of handing over one message. */
export function sendOutcome(answer: Answer): SmsOutcome {
  if (answer.answered && answer.status < 400) return ofCode(answer.json)
  if (answer.status !== undefined) return ofStatus(answer.status)
  const detail = answer.answered ? 'unreadable' : answer.detail
  return NEVER_CONNECTED.test(detail) ? rejected(detail, true, 'unreachable') : { state: 'unknown', detail }
}

function ofCode(json: Readonly<Record<string, unknown>>): SmsOutcome {
  const code = fieldText(json.response_code)
  if (code === TAKEN) return { state: 'submitted', reference: fieldText(json.message_id) || null }
  if (code === BAD_MOMENT) return rejected(code, true, null)
  if (ABOUT_THE_MESSAGE.includes(code)) return rejected(code, false, null)
  if (BALANCE.includes(code)) return rejected(code, true, 'balance')
  if (/^10\d\d$/.test(code)) return rejected(code, true, 'account')
  return { state: 'unknown', detail: code === '' ? 'no-code' : `code-${code.slice(0, 20)}` }
}

/** A server that says no has not sent. A proxy that got no answer (502, 504, 52x) cannot know, and neither can a page with status 200. */
function ofStatus(status: number): SmsOutcome {
  const code = `http-${status}`
  if (status === 429) return rejected(code, true, null)
  if (status >= 400 && status < 500) return rejected(code, true, 'account')
  return status === 500 || status === 501 || status === 503
    ? rejected(code, true, null)
    : { state: 'unknown', detail: status < 400 ? 'not-json' : code }
}

function rejected(code: string, again: boolean, problem: SmsProblem | null): SmsOutcome {
  return { state: 'rejected', code, again, problem }
}

/** The taka left at the company. */
export function balanceOf(answer: Answer): SmsBalance {
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

const FIRST_WAIT_SECONDS = 15
const MAX_WAIT_SECONDS = 1800

/** Tries of one message that the company surely did not take; after that it is for people. */
export const MAX_ATTEMPTS = 6

/** Seconds until the next try after so many: each wait twice the one before, from a quarter of a minute to half an hour. */
export function waitSeconds(tries: number): number {
  return Math.min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.max(0, tries - 1))
}
