import { timingSafeEqual } from 'node:crypto'
import { mark } from './keys.server.ts'

// Values that only this shop can issue: a text, a dot and its mark under the shop's secret.

/** Issues the text for one use. The mark adds 44 characters. */
export function issue(secret: string, use: string, text: string): string {
  return `${text}.${mark(secret, use, text).toString('base64url')}`
}

/** Whether this shop issued the value for this use. Compares in constant time. */
export function isIssued(secret: string, use: string, value: string): boolean {
  const dot = value.lastIndexOf('.')
  const [sent, expected] = [Buffer.from(value), Buffer.from(issue(secret, use, value.slice(0, Math.max(0, dot))))]
  return dot > 0 && sent.length === expected.length && timingSafeEqual(sent, expected)
}
