import type { Lang } from '../i18n/lang.ts'
import { translate } from '../i18n/translate.ts'
import { randomToken, sha256Hex } from '../ids/ids.server.ts'
import { MAX_EARLIER_KEYS, REQUEST_KEY } from './idempotency-key.ts'

/** The `Idempotency-Key` of a request, or a new one when it has none; null when it is invalid. */
export function requestKey({ headers }: { headers: Record<string, string | string[] | undefined> }): string | null {
  const key = headers['idempotency-key'] ?? randomToken(16)
  return typeof key === 'string' && REQUEST_KEY.test(key) ? key : null
}

/** The keys of earlier attempts whose answers may have been lost, with other inputs, or (`x-draft-keys`) that saved the draft of an order. */
export function earlierKeys(
  { headers }: { headers: Record<string, string | string[] | undefined> },
  header: 'x-earlier-keys' | 'x-draft-keys' = 'x-earlier-keys',
): string[] {
  const given = headers[header]
  return typeof given === 'string' ? given.split(' ', MAX_EARLIER_KEYS).filter((key) => REQUEST_KEY.test(key)) : []
}

/** The hash that identifies the body of a request beside its key: another body under a used key is refused. */
export function requestHash(body: unknown): string {
  return sha256Hex(JSON.stringify(body))
}

/** Response fields for an invalid key. */
export const badKey = (lang: Lang) => ({ errors: { 'idempotency-key': [translate(lang)('error.bad-key')] } })
