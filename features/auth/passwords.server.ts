import { MAX_PASSWORD_LENGTH } from './limits.ts'

const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Loaded with the first password: until then the shop saves its memory. */
const argon2 = () => import('@node-rs/argon2')
const MAX_CONCURRENT_HASHES = 4

/** Limits of the queue. New passwords have the lower limit, so that many registrations do not block signing in. */
const MAX_WAITING = { new: 32, check: 96 }

/** The hashing queue is full: a 503 with Retry-After. */
export class HashingBusyError extends Error {
  readonly code = 'HASHING_BUSY'
  readonly retryAfterSeconds = 5
}

// The hash of a random password. Verified for unknown accounts, so that known and unknown numbers take the same time.
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$ab3PPFppjrsWDyZ5nT9e5w$J4i+XMFdpegn85+SOfpwgm41gd3qTyFeILZjGYapc6o'

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
  return enqueue('new', async () => (await argon2()).hash(password, ARGON))
}

/** Compares a password with a stored hash. Takes the same time without a hash. Throws `HashingBusyError`. */
export async function isPassword(storedHash: string | null, password: string): Promise<boolean> {
  const tried = password.slice(0, MAX_PASSWORD_LENGTH + 1)
  const isValid = await enqueue('check', async () => (await argon2()).verify(storedHash ?? DECOY, tried))
  return isValid && storedHash !== null && tried.length <= MAX_PASSWORD_LENGTH
}
