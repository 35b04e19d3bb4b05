import { randomBytes } from 'node:crypto'
import { generateSync, generateURI, ScureBase32Plugin, verifySync } from 'otplib'

/** The period of a code in seconds (RFC 6238). A code of the step before or after is accepted: phone clocks drift. */
const STEP_SECONDS = 30
const SECRET_BYTES = 20
const base32Plugin = new ScureBase32Plugin()

/** A new secret for an authenticator app: 20 bytes, SHA-1 and six digits, which every app supports. */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * The number of the time step.
 * @public The tests compute codes with it, as an authenticator app does.
 */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/**
 * The six digits that an authenticator app shows in a step.
 * @public The tests take the place of the app.
 */
export function totpCode(secret: Buffer, step: number): string {
  return generateSync({ secret, epoch: step * STEP_SECONDS })
}

/** The step of the code, at most one from now and later than the last used one (no replay); null for any other code. */
export function matchingStep(secret: Buffer, code: string, now: Date, lastStep: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS, afterTimeStep: lastStep })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** A secret as people type it. */
export function base32(bytes: Buffer): string {
  return base32Plugin.encode(bytes)
}

/** The `otpauth://` URI that an authenticator app reads from a QR code. */
export function totpUri(secret: Buffer, shop: string, account: string): string {
  return generateURI({ issuer: shop, label: account, secret: base32(secret) })
}
