import { expect, test } from 'vitest'
import { randomCode, randomToken, sha256, sha256Hex, ulid } from './ids.server.ts'

test('tokens are long and differ', () => {
  expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(randomToken()).not.toBe(randomToken())
})

test('tokens never repeat', () => {
  const lengths = Array.from({ length: 3000 }, (_, index) => 16 + (index % 17))
  const tokens = lengths.map((bytes) => Buffer.from(randomToken(bytes), 'base64url'))
  expect(tokens.map((token) => token.length)).toEqual(lengths)
  // Parts of tokens do not repeat either.
  const parts = tokens.flatMap((token) => Array.from({ length: token.length - 7 }, (_, at) => token.toString('hex', at, at + 8)))
  expect(new Set(parts).size).toBe(parts.length)
})

test('a ulid sorts by time', () => {
  const early = ulid(new Date('2025-04-29T00:00:00Z'))
  const late = ulid(new Date('2025-04-29T00:00:00.001Z'))
  expect(early).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(early < late).toBe(true)
  expect(ulid(new Date(1469918176385)).slice(0, 10)).toBe('01ARYZ6S41')
})

test('codes and hashes', () => {
  expect(randomCode(10)).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/)
  expect(sha256('').length).toBe(32)
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
