import { hash, verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import { normalisePhone } from '#lib/phone.ts'
import { countAttempt, forgetAttempts } from './attempts.server.ts'
import { openSession, type Role } from './sessions.server.ts'

const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const LONGEST_PASSWORD = 128
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

export type SignInResult =
  | { ok: true; user: { id: number; name: string; role: Role }; token: string; expiresAt: Date }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfter: number }

export interface SignIn {
  identifier: string
  password: string
  ip: string
  userAgent: string
  now: Date
}

/** Signs a person in by phone or email and password; a wrong account and a wrong password look the same. */
export async function signIn(db: Db, limited: boolean, form: SignIn): Promise<SignInResult> {
  const phone = normalisePhone(form.identifier)
  const email = form.identifier.trim().toLowerCase().slice(0, 255)
  const accountKey = `sign-in:${phone ?? email}`
  if (limited) {
    const wait = await tooManyTries(db, accountKey, form)
    if (wait > 0) return { ok: false, reason: 'too-many', retryAfter: wait }
  }
  const { rows } = await sql<{ id: number; name: string; role: Role; password_hash: string }>`
    select id, name, role, password_hash from users
    where ${phone ? sql`phone = ${phone}` : sql`lower(email) = ${email}`} and password_hash is not null and disabled_at is null limit 1`.execute(
    db,
  )
  const user = rows[0]
  const password = form.password.slice(0, LONGEST_PASSWORD + 1)
  const right = await inTurn(async () => verify(user?.password_hash ?? (await decoy), password))
  if (!user || !right || password.length > LONGEST_PASSWORD) return { ok: false, reason: 'wrong' }
  await forgetAttempts(db, accountKey)
  const { token, expiresAt } = await openSession(db, user, form)
  return { ok: true, user: { id: user.id, name: user.name, role: user.role }, token, expiresAt }
}

async function tooManyTries(db: Db, accountKey: string, form: SignIn): Promise<number> {
  const perAccount = await countAttempt(db, accountKey, { most: 10, windowSeconds: 900 }, form.now)
  // A whole mobile operator may share one address, so it is counted far above what people do.
  const perAddress = await countAttempt(db, `sign-in-from:${form.ip}`, { most: 300, windowSeconds: 900 }, form.now)
  return Math.max(perAccount, perAddress)
}
