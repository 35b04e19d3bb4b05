import { hash, randomFillSync } from 'node:crypto'

/** A buffer of random bytes: a system call costs more than the bytes it returns. */
const pool = Buffer.allocUnsafeSlow(4096)
let used = pool.length

/** Unused random bytes. Read them before the next call, which may refill the buffer. */
function freshBytes(count: number): Buffer {
  if (count > pool.length) throw new RangeError(`${count} random bytes in one call`)
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** A base64url token of random bytes, safe in URLs and cookies. */
export function randomToken(bytes = 32): string {
  return freshBytes(bytes).toString('base64url')
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A 26-character id that sorts by time: 48 bits of milliseconds, 80 random bits. */
export function ulid(now: Date = new Date()): string {
  let time = now.getTime()
  let head = ''
  for (let digit = 0; digit < 10; digit++) {
    head = CROCKFORD.charAt(time % 32) + head
    time = Math.floor(time / 32)
  }
  return head + randomCode(16)
}

/** Random characters for codes that people type, without ambiguous letters (no I, L, O, U). */
export function randomCode(length: number): string {
  return Array.from(freshBytes(length), (byte) => CROCKFORD.charAt(byte % 32)).join('')
}

/** The SHA-256 of a text, as a bytea column stores it. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The SHA-256 of a text in hexadecimal. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}
