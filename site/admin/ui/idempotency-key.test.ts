import { beforeEach, expect, it, vi } from 'vitest'
import { attemptHeaders, attemptKey, clearAttempt, openKeys } from './idempotency-key.ts'

beforeEach(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  clearAttempt('cash')
})

it('the same words go under one key, others name the keys of the earlier attempts', () => {
  const first = attemptHeaders('cash', 'Tea')
  expect(Object.keys(first)).toEqual(['idempotency-key'])
  expect(attemptHeaders('cash', 'Tea')).toEqual(first)
  const second = attemptHeaders('cash', 'Tea and biscuits')
  expect(second['x-earlier-keys']).toBe(first['idempotency-key'])
  expect(attemptHeaders('cash', 'Tea and biscuits')).toEqual(second)
  const third = attemptHeaders('cash', 'Rice')
  expect(third['x-earlier-keys']).toBe(`${first['idempotency-key']} ${second['idempotency-key']}`)
  for (let n = 0; n < 9; n++) attemptHeaders('cash', `Rice ${n}`)
  expect(attemptHeaders('cash', 'Last')['x-earlier-keys']?.split(' ')).toHaveLength(5)
})

it('a page without https has keys too', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) })
  expect(attemptHeaders('cash', 'Tea')).toEqual({ 'idempotency-key': '07'.repeat(16) })
  vi.unstubAllGlobals()
})

it('after an answer the next words name no earlier attempt', () => {
  attemptHeaders('cash', 'Tea')
  clearAttempt('cash')
  expect(Object.keys(attemptHeaders('cash', 'Rice'))).toEqual(['idempotency-key'])
})

it('the open attempts are those that the server reads, with the newest', () => {
  let stored: string | null = null
  vi.stubGlobal('sessionStorage', {
    getItem: () => stored,
    setItem: (_name: string, text: string) => (stored = text),
    removeItem: () => {},
  })
  const keys = Array.from({ length: 7 }, (_, n) => attemptKey('draft', `Rice ${n}`))
  expect(openKeys('draft')).toEqual(keys.slice(-5))
})
