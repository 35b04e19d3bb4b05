import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** One step late or early: clocks of phones are. */
const DRIFT = 1
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret for an authenticator app (RFC 6238 with SHA-1, as all of them understand). */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The number of the half minute. */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/** The six figures that an authenticator shows in a step. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest[digest.length - 1]! & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step whose code this is, near now and later than the last one used; null when it is none of them. */
export function matchingStep(secret: Buffer, code: string, now: Date, lastStep: number): number | null {
  const typed = Buffer.from(code)
  let found: number | null = null
  for (let step = totpStep(now) - DRIFT; step <= totpStep(now) + DRIFT; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    if (typed.length === expected.length && timingSafeEqual(typed, expected) && step > lastStep) found = step
  }
  return found
}

/** A secret as people type it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('')
}

/** What the QR code of an authenticator says. */
export function totpAddress(secret: Buffer, shop: string, account: string): string {
  const label = `${encodeURIComponent(shop)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(shop)}`
}
