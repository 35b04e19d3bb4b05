import { describe, expect, it } from 'vitest'
import type { HttpResult } from '#lib/http/http-client.server.ts'
import { balanceOf, sendOutcome, waitSeconds } from './provider-response-rules.ts'

const said = (json: object, status = 200): HttpResult => ({ answered: true, status, json: json as Record<string, unknown> })
const failed = (detail: string, status?: number): HttpResult => ({ answered: false, detail, ...(status ? { status } : {}) })
const no = (code: string, canRetry: boolean, problem: string | null = null) => ({ state: 'rejected', code, canRetry, problem })
const unknown = (detail: string) => ({ state: 'unknown', detail })

describe('an answer to a message', () => {
  it.each([
    ['taken', said({ response_code: 202, message_id: 4711 }), { state: 'submitted', reference: '4711' }],
    ['taken, as text', said({ response_code: '202', message_id: null }), { state: 'submitted', reference: null }],
    ['a wrong number', said({ response_code: 1001 }), no('1001', false)],
    ['a named sender needs Bengali', said({ response_code: 1012 }), no('1012', false)],
    ['a bad moment over there', said({ response_code: 1005 }), no('1005', true)],
    ['no balance', said({ response_code: 1007 }), no('1007', true, 'balance')],
    ['balance no longer valid', said({ response_code: 1006 }), no('1006', true, 'balance')],
    ['a disabled account', said({ response_code: 1019 }), no('1019', true, 'account')],
    ['an address that is not allowed', said({ response_code: 1032 }), no('1032', true, 'account')],
    ['a code nobody wrote down', said({ response_code: 7 }), unknown('code-7')],
    ['no code at all', said({}), unknown('no-code')],
    ['a code that is an object', said({ response_code: { a: 1 } }), unknown('no-code')],
    ['HTML with 200', failed('not-json', 200), unknown('not-json')],
    ['500', failed('http-500', 500), no('http-500', true)],
    ['503', failed('http-503', 503), no('http-503', true)],
    ['502: somebody behind it may have sent', failed('http-502', 502), unknown('http-502')],
    ['504', failed('http-504', 504), unknown('http-504')],
    ['522', failed('http-522', 522), unknown('http-522')],
    ['403 with HTML', failed('not-json', 403), no('http-403', true, 'account')],
    ['401 with JSON', said({ error: 'key' }, 401), no('http-401', true, 'account')],
    ['429', failed('not-json', 429), no('http-429', true)],
    ['nobody listens', failed('ECONNREFUSED'), no('ECONNREFUSED', true, 'unreachable')],
    ['no such name', failed('ENOTFOUND'), no('ENOTFOUND', true, 'unreachable')],
    ['never connected', failed('UND_ERR_CONNECT_TIMEOUT'), no('UND_ERR_CONNECT_TIMEOUT', true, 'unreachable')],
    ['a wrong certificate', failed('DEPTH_ZERO_SELF_SIGNED_CERT'), no('DEPTH_ZERO_SELF_SIGNED_CERT', true, 'unreachable')],
    ['silence', failed('timeout'), unknown('timeout')],
    ['cut in the middle', failed('UND_ERR_SOCKET'), unknown('UND_ERR_SOCKET')],
    ['reset', failed('ECONNRESET'), unknown('ECONNRESET')],
    ['given up', failed('aborted'), unknown('aborted')],
    ['a book instead of an answer', failed('too-long'), unknown('too-long')],
  ])('%s', (_name, answer, outcome) => {
    expect(sendOutcome(answer)).toEqual(outcome)
  })
})

it.each([
  ['as text', said({ response_code: 202, balance: '250.75' }), { ok: true, poisha: 25_075 }],
  ['as a number', said({ balance: 0.35 }), { ok: true, poisha: 35 }],
  ['finer than a poisha', said({ balance: '12.3456' }), { ok: true, poisha: 1235 }],
  ['owed', said({ balance: '-3.5' }), { ok: true, poisha: -350 }],
  ['refused', said({ response_code: 1011 }), { ok: false, detail: '1011' }],
  ['a word', said({ balance: 'plenty' }), { ok: false, detail: 'unreadable' }],
  ['silence', failed('timeout'), { ok: false, detail: 'timeout' }],
])('the balance %s', (_name, answer, balance) => {
  expect(balanceOf(answer)).toEqual(balance)
})

it('waits twice as long each time, half an hour at most', () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(waitSeconds)).toEqual([15, 15, 30, 60, 120, 240, 1800])
})
