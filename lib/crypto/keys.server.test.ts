import { expect, test } from 'vitest'
import { hmac, encrypt, decrypt } from './keys.server.ts'

const SECRET = 'a secret of thirty-two characters'
const bytes = Buffer.from('twenty bytes exactly')

test('decrypts what was encrypted, and two encryptions differ', () => {
  const [one, two] = [encrypt(SECRET, 'a', bytes), encrypt(SECRET, 'a', bytes)]
  expect(one.equals(two)).toBe(false)
  expect(decrypt(SECRET, 'a', one)).toEqual(bytes)
  expect(one.includes(bytes)).toBe(false)
})

test('decrypts nothing with another secret or use, or after a byte was changed or cut', () => {
  const encrypted = encrypt(SECRET, 'a', bytes)
  expect(decrypt(`${SECRET}!`, 'a', encrypted)).toBeNull()
  expect(decrypt(SECRET, 'b', encrypted)).toBeNull()
  encrypted[15]! ^= 1
  expect(decrypt(SECRET, 'a', encrypted)).toBeNull()
  expect(decrypt(SECRET, 'a', encrypted.subarray(0, 10))).toBeNull()
})

test('an HMAC depends on secret, use and text', () => {
  const hashes = [hmac(SECRET, 'a', 'x'), hmac(SECRET, 'b', 'x'), hmac(SECRET, 'a', 'y'), hmac(`${SECRET}!`, 'a', 'x')]
  expect(new Set(hashes.map((one) => one.toString('hex'))).size).toBe(4)
  expect(hmac(SECRET, 'a', 'x')).toEqual(hashes[0])
})
