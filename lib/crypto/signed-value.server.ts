import { timingSafeEqual } from 'node:crypto'
import { hmac } from './keys.server.ts'

// Signed values: a text, a dot and its HMAC under the session secret.

/** Signs the text for one use. The signature adds 44 characters. */
export function issue(secret: string, use: string, text: string): string {
  return `${text}.${hmac(secret, use, text).toString('base64url')}`
}

/** Whether this shop issued the value for this use. Compares in constant time. */
export function isIssued(secret: string, use: string, value: string): boolean {
  const dot = value.lastIndexOf('.')
  const [sent, expected] = [Buffer.from(value), Buffer.from(issue(secret, use, value.slice(0, Math.max(0, dot))))]
  return dot > 0 && sent.length === expected.length && timingSafeEqual(sent, expected)
}
