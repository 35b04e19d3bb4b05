import { createHash, timingSafeEqual } from 'node:crypto'
import { parseGatewayAmount } from '#features/payments/amounts.ts'
import { decimalTaka } from '#lib/format/money.ts'

type Fields = Readonly<Record<string, string>>
type Algorithm = 'md5' | 'sha256'

const hex = (algorithm: Algorithm, text: string) => createHash(algorithm).update(text).digest('hex')

/**
 * The signature over the keys that `verify_key` names: `k=v` sorted by key, joined by `&`, with the hashed store
 * password among them. md5 is the documented rule; sha256 was found by reproducing a published callback.
 */
export function signature(fields: Fields, storePassword: string, algorithm: Algorithm): string {
  const named = (fields['verify_key'] ?? '').split(',').filter((key) => fields[key] !== undefined)
  const pairs = named.map((key) => [key, fields[key]] as const)
  pairs.push(['store_passwd', hex(algorithm, storePassword)])
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return hex(algorithm, pairs.map(([key, value]) => `${key}=${value}`).join('&'))
}

function same(expected: string, given: string | undefined): boolean {
  const [own, theirs] = [Buffer.from(expected), Buffer.from(given?.toLowerCase() ?? '')]
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

/**
 * Whether either signature of a callback comes out right, with the amount as posted or with two decimals (the
 * gateway signs `69.00` and posts `69`). For the log only: the validation call decides about money.
 */
export function isSigned(fields: Fields, storePassword: string): boolean {
  const amount = parseGatewayAmount(fields['amount'])
  const forms = amount === null ? [fields] : [fields, { ...fields, amount: decimalTaka(amount) }]
  return forms.some(
    (form) =>
      same(signature(form, storePassword, 'md5'), fields['verify_sign']) ||
      same(signature(form, storePassword, 'sha256'), fields['verify_sign_sha2']),
  )
}
