// Rules of the session lock and of PINs (decision 9).
import { latinDigits } from '#lib/format/numbers.ts'
import type { Role } from './sessions.server.ts'

/** Staff sessions without a request for this time lock, or end if the role does not lock. */
export const IDLE_MINUTES = 30

/** Roles that work on one device all day: their idle sessions lock. */
export const LOCKING_ROLES = ['cashier', 'weigher'] as const satisfies Role[]

/** Whether idle sessions of the role lock; those of other roles end. */
export function locksWhenIdle(role: Role): boolean {
  return (LOCKING_ROLES as readonly Role[]).includes(role)
}

/** Roles that may lock their session by hand. An idle session of the others ends, locked or not. */
export const MANUALLY_LOCKING_ROLES = [...LOCKING_ROLES, 'manager', 'owner'] as const satisfies Role[]

/** Whether the role may lock its session by hand. */
export function canLock(role: Role): boolean {
  return (MANUALLY_LOCKING_ROLES as readonly Role[]).includes(role)
}

/** The one role that a PIN signs in: more permissions need a password. */
export const SWITCHABLE_ROLE = 'cashier' satisfies Role

/** Wrong PINs that end a session. */
export const MAX_PIN_TRIES = 5

/** Digits of a PIN. */
const MIN_PIN_LENGTH = 4
export const MAX_PIN_LENGTH = 6

export type PinProblem = 'lock.pin-format' | 'lock.pin-simple'

/** A PIN as typed, in Latin digits. */
export function readPin(typed: string): string {
  return latinDigits(typed.trim())
}

/** The problem of a new PIN: not 4 to 6 digits, or a sequence (1111, 1234, 4321). Null when it has none. */
export function pinProblem(pin: string): PinProblem | null {
  if (!/^\d+$/.test(pin) || pin.length < MIN_PIN_LENGTH || pin.length > MAX_PIN_LENGTH) return 'lock.pin-format'
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])))
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0]!) ? 'lock.pin-simple' : null
}
