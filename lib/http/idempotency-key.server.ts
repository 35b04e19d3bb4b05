import type { Lang } from '../i18n/lang.ts'
import { translate } from '../i18n/translate.ts'
import { randomToken } from '../ids/ids.server.ts'
import { REQUEST_KEY } from './idempotency-key.ts'

/** The `Idempotency-Key` of a request, or a new one when it has none; null when it is invalid. */
export function requestKey({ headers }: { headers: Record<string, string | string[] | undefined> }): string | null {
  const key = headers['idempotency-key'] ?? randomToken(16)
  return typeof key === 'string' && REQUEST_KEY.test(key) ? key : null
}

/** Earlier keys that a request names at most. */
const MAX_EARLIER = 5

/** The keys of earlier attempts with other inputs (`x-earlier-keys`): their answers may have been lost. */
export function earlierKeys({ headers }: { headers: Record<string, string | string[] | undefined> }): string[] {
  const given = headers['x-earlier-keys']
  return typeof given === 'string' ? given.split(' ', MAX_EARLIER).filter((key) => REQUEST_KEY.test(key)) : []
}

/** Response fields for an invalid key. */
export const badKey = (lang: Lang) => ({ errors: { 'idempotency-key': [translate(lang)('error.bad-key')] } })
