import { hash, verify } from '@node-rs/argon2'
import { LONGEST_PASSWORD } from './password-rules.ts'

const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const HASHES_AT_ONCE = 4

// Verified when there is no such account, so that knowing and not knowing a number take the same time.
const decoy = hash('nobody has this password', ARGON)

const waiting: (() => void)[] = []
let running = 0

/** Hashing takes a whole core and 19 MB: four at once, the rest wait their turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
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

/** A password as it is kept. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, ARGON))
}

/** Whether the password is the one that is kept; takes as long when nothing is. */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  const tried = password.slice(0, LONGEST_PASSWORD + 1)
  const right = await inTurn(async () => verify(kept ?? (await decoy), tried))
  return right && kept !== null && tried.length <= LONGEST_PASSWORD
}
