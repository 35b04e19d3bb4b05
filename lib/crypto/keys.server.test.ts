import { expect, test } from 'vitest'
import { hmac, encrypt, decrypt } from './keys.server.ts'

const SECRET = 'a secret of thirty-two characters'
const bytes = Buffer.from('twenty bytes exactly')

test('what is sealed comes out again, and twice never looks the same', () => {
  const [one, two] = [encrypt(SECRET, 'a', bytes), encrypt(SECRET, 'a', bytes)]
  expect(one.equals(two)).toBe(false)
  expect(decrypt(SECRET, 'a', one)).toEqual(bytes)
  expect(one.includes(bytes)).toBe(false)
})

test('another secret, another use, a changed or a cut byte: nothing', () => {
  const sealed = encrypt(SECRET, 'a', bytes)
  expect(decrypt(`${SECRET}!`, 'a', sealed)).toBeNull()
  expect(decrypt(SECRET, 'b', sealed)).toBeNull()
  sealed[15]! ^= 1
  expect(decrypt(SECRET, 'a', sealed)).toBeNull()
  expect(decrypt(SECRET, 'a', sealed.subarray(0, 10))).toBeNull()
})

test('a mark depends on secret, use and text', () => {
  const marks = [hmac(SECRET, 'a', 'x'), hmac(SECRET, 'b', 'x'), hmac(SECRET, 'a', 'y'), hmac(`${SECRET}!`, 'a', 'x')]
  expect(new Set(marks.map((one) => one.toString('hex'))).size).toBe(4)
  expect(hmac(SECRET, 'a', 'x')).toEqual(marks[0])
})
