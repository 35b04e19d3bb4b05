// When a staff session locks, and what a PIN is (decision 9).
import { latinDigits } from '#lib/format/numbers.ts'
import type { Role } from './sessions.server.ts'

/** Staff sessions without a request for so long lock, or end where the role does not lock. */
export const IDLE_MINUTES = 30

/** Roles that work on one device all day: their idle sessions lock. */
export const LOCKING_ROLES = ['cashier', 'weigher'] as const satisfies Role[]

export function locksWhenIdle(role: Role): boolean {
  return (LOCKING_ROLES as readonly Role[]).includes(role)
}

/** Wrong PINs that end a session. */
export const MAX_PIN_TRIES = 5

export type PinProblem = 'lock.pin-format' | 'lock.pin-simple'

/** A PIN as typed, in Latin digits. */
export function readPin(typed: string): string {
  return latinDigits(typed.trim())
}

/** Why a new PIN is refused: not 4 to 6 digits, or one that is tried first (1111, 1234, 4321). Null when it is accepted. */
export function pinProblem(pin: string): PinProblem | null {
  if (!/^\d{4,6}$/.test(pin)) return 'lock.pin-format'
  const steps = new Set([...pin].slice(1).map((digit, at) => Number(digit) - Number(pin[at])))
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0]!) ? 'lock.pin-simple' : null
}
