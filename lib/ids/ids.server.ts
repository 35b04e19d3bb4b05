import { hash, randomFillSync } from 'node:crypto'

/** Random bytes come from the system in stock: asking it costs more than what it gives. */
const stock = Buffer.allocUnsafeSlow(4096)
let used = stock.length

/** Bytes that nobody had before; to be read at once, since the stock is filled anew. */
function freshBytes(count: number): Buffer {
  if (count > stock.length) throw new RangeError(`${count} random bytes at once`)
  if (used + count > stock.length) {
    randomFillSync(stock)
    used = 0
  }
  used += count
  return stock.subarray(used - count, used)
}

/** An unguessable text of so many random bytes, safe in addresses and cookies. */
export function randomToken(bytes = 32): string {
  return freshBytes(bytes).toString('base64url')
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
  return Array.from(freshBytes(length), (byte) => CROCKFORD.charAt(byte % 32)).join('')
}

/** The SHA-256 of a text, as it is kept in a bytea column. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The SHA-256 of a text in hexadecimal. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}
