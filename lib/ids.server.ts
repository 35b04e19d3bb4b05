import { createHash, randomBytes } from 'node:crypto'

/** An unguessable text of so many random bytes, safe in addresses and cookies. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A 26-character id that sorts by time: 48 bits of milliseconds, 80 random bits. */
export function ulid(now: Date = new Date()): string {
  let time = now.getTime()
  let head = ''
  for (let place = 0; place < 10; place++) {
    head = CROCKFORD.charAt(time % 32) + head
    time = Math.floor(time / 32)
  }
  return head + randomCode(16)
}

/** So many random characters that are hard to misread (no I, L, O, U): for codes that people type. */
export function randomCode(length: number): string {
  return Array.from(randomBytes(length), (byte) => CROCKFORD.charAt(byte % 32)).join('')
}

/** The SHA-256 of a text, as it is kept in a bytea column. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The SHA-256 of a text in hexadecimal. */
export function sha256Hex(text: string): string {
  return sha256(text).toString('hex')
}
