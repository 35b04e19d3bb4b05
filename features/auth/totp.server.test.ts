import { expect, test } from 'vitest'
import { base32, matchingStep, totpUri, totpCode, totpStep } from './totp.server.ts'

// RFC 6238, appendix B (SHA-1), its last six digits; RFC 4648, section 10.
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i it is %s', (seconds, code) => expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code))

test.each([
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %s in base 32', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded))

test('a step early or late counts, two do not, and none counts twice', () => {
  const now = new Date(1_111_111_111_000)
  const step = totpStep(now)
  for (const drift of [-1, 0, 1]) expect(matchingStep(secret, totpCode(secret, step + drift), now, 0)).toBe(step + drift)
  for (const drift of [-2, 2, 1000]) expect(matchingStep(secret, totpCode(secret, step + drift), now, 0)).toBeNull()
  expect(matchingStep(secret, totpCode(secret, step), now, step)).toBeNull()
  expect(matchingStep(secret, totpCode(secret, step - 1), now, step)).toBeNull()
  expect(matchingStep(secret, totpCode(secret, step + 1), now, step)).toBe(step + 1)
  for (const wrong of ['', '12345', '1234567', 'abcdef', '০১২৩৪৫']) expect(matchingStep(secret, wrong, now, 0)).toBeNull()
})

test('the address of the QR code', () => {
  expect(totpUri(secret, 'Khamar খামার', '01711000001')).toBe(
    'otpauth://totp/Khamar%20%E0%A6%96%E0%A6%BE%E0%A6%AE%E0%A6%BE%E0%A6%B0:01711000001?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Khamar%20%E0%A6%96%E0%A6%BE%E0%A6%AE%E0%A6%BE%E0%A6%B0',
  )
})
