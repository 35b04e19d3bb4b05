import { hash, verify } from '@node-rs/argon2'
import { MAX_PASSWORD_LENGTH } from './limits.ts'

const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const HASHES_AT_ONCE = 4

/** How many may wait. A new password is refused first: a flood of registrations leaves room for people who sign in. */
const MAX_WAITING = { new: 32, check: 96 }

/** Too many passwords wait to be hashed: a 503 that says when to come again. */
export class HashingBusyError extends Error {
  readonly code = 'HASHING_BUSY'
  readonly retryAfterSeconds = 5
}

// Verified when there is no such account, so that knowing and not knowing a number take the same time.
const decoy = hash('nobody has this password', ARGON)

const waiting: (() => void)[] = []
let running = 0

/** Throws when a password of this kind would find no room. For callers that count a try before they hash. */
export function expectRoomToHash(kind: keyof typeof MAX_WAITING): void {
  if (waiting.length >= MAX_WAITING[kind]) throw new HashingBusyError(`${waiting.length} passwords wait to be hashed`)
}

/** Hashing takes a whole core and 19 MB: four at once, a bounded number wait in order. */
async function inTurn<T>(kind: keyof typeof MAX_WAITING, work: () => Promise<T>): Promise<T> {
  expectRoomToHash(kind)
  if (running >= HASHES_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** A password as it is kept. Throws `HashingBusyError`. */
export function hashPassword(password: string): Promise<string> {
  return inTurn('new', () => hash(password, ARGON))
}

/** Whether the password is the one that is kept; takes as long when nothing is. Throws `HashingBusyError`. */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  const tried = password.slice(0, MAX_PASSWORD_LENGTH + 1)
  const right = await inTurn('check', async () => verify(kept ?? (await decoy), tried))
  return right && kept !== null && tried.length <= MAX_PASSWORD_LENGTH
}
