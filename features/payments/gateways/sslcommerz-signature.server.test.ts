import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isSigned, signature } from '#features/payments/gateways/sslcommerz-signature.server.ts'

const vector = JSON.parse(readFileSync(new URL('../test-data/sslcommerz-signature-vector.json', import.meta.url), 'utf8')) as {
  store_password: string
  fields: Record<string, string>
  verify_sign: string
  verify_sign_sha2: string
}
const posted = { ...vector.fields, verify_key: Object.keys(vector.fields).join(',') }
const { verify_sign, verify_sign_sha2 } = vector

describe('the signature of a notification', () => {
  it('matches the test vector', () => {
    expect(signature(posted, vector.store_password, 'md5')).toBe(verify_sign)
    expect(signature(posted, vector.store_password, 'sha256')).toBe(verify_sign_sha2)
  })
  it('is valid by either rule alone', () => {
    expect(isSigned({ ...posted, verify_sign }, vector.store_password)).toBe(true)
    expect(isSigned({ ...posted, verify_sign_sha2 }, vector.store_password)).toBe(true)
  })
  it('is valid for an amount signed with decimals and posted without', () => {
    expect(isSigned({ ...posted, amount: '1500', verify_sign_sha2 }, vector.store_password)).toBe(true)
  })
  it.each([
    ['another amount', { ...posted, amount: '15.00', verify_sign, verify_sign_sha2 }],
    ['no signature', posted],
    ['a signature of another length', { ...posted, verify_sign: 'abc' }],
    ['text that is not hexadecimal', { ...posted, verify_sign: 'য'.repeat(32) }],
    ['nothing at all', {}],
  ])('is wrong for %s', (_name, fields: Record<string, string>) => expect(isSigned(fields, vector.store_password)).toBe(false))
  it('is invalid for another password', () => expect(isSigned({ ...posted, verify_sign }, 'guess')).toBe(false))
})
