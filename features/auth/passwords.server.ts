import { hash, verify } from '@node-rs/argon2'
import { MAX_PASSWORD_LENGTH } from './limits.ts'

const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MAX_CONCURRENT_HASHES = 4

/** Limits of the queue. New passwords have the lower limit, so that many registrations do not block signing in. */
const MAX_WAITING = { new: 32, check: 96 }

/** The hashing queue is full: a 503 with Retry-After. */
export class HashingBusyError extends Error {
  readonly code = 'HASHING_BUSY'
  readonly retryAfterSeconds = 5
}

// Verified for unknown accounts, so that known and unknown numbers take the same time.
const decoy = hash('nobody has this password', ARGON)

const waiting: (() => void)[] = []
let running = 0

/** Throws when the queue has no room for a password of this kind. For callers that count an attempt before they hash. */
export function expectRoomToHash(kind: keyof typeof MAX_WAITING): void {
  if (waiting.length >= MAX_WAITING[kind]) throw new HashingBusyError(`${waiting.length} passwords wait to be hashed`)
}

/** Runs at most four hashes concurrently (each takes a core and 19 MB); the others queue. */
async function enqueue<T>(kind: keyof typeof MAX_WAITING, work: () => Promise<T>): Promise<T> {
  expectRoomToHash(kind)
  if (running >= MAX_CONCURRENT_HASHES) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Hashes a password. Throws `HashingBusyError`. */
export function hashPassword(password: string): Promise<string> {
  return enqueue('new', () => hash(password, ARGON))
}

/** Compares a password with a stored hash. Takes the same time without a hash. Throws `HashingBusyError`. */
export async function isPassword(storedHash: string | null, password: string): Promise<boolean> {
  const tried = password.slice(0, MAX_PASSWORD_LENGTH + 1)
  const isValid = await enqueue('check', async () => verify(storedHash ?? (await decoy), tried))
  return isValid && storedHash !== null && tried.length <= MAX_PASSWORD_LENGTH
}
