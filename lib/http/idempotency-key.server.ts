import { randomToken } from '../ids/ids.server.ts'
import { REQUEST_KEY } from './idempotency-key.ts'

/** The `Idempotency-Key` of a request, or a new one when it has none; null when it is invalid. */
export function requestKey({ headers }: { headers: Record<string, string | string[] | undefined> }): string | null {
  const key = headers['idempotency-key'] ?? randomToken(16)
  return typeof key === 'string' && REQUEST_KEY.test(key) ? key : null
}

/** Response fields for an invalid key. */
export const BAD_KEY = { errors: { 'idempotency-key': ['8 to 200 visible characters'] } }
