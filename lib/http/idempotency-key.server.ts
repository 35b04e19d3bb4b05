import { randomToken } from '../ids/ids.server.ts'
import { REQUEST_KEY } from './idempotency-key.ts'

/** The key that a request came with, or a new one where it has none; null when it cannot be one. */
export function requestKey({ headers }: { headers: Record<string, string | string[] | undefined> }): string | null {
  const key = headers['idempotency-key'] ?? randomToken(16)
  return typeof key === 'string' && REQUEST_KEY.test(key) ? key : null
}

/** What is said of a key that cannot be one. */
export const BAD_KEY = { errors: { 'idempotency-key': ['8 to 200 visible characters'] } }
