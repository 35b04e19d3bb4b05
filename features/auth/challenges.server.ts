import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken, sha256 } from '#lib/ids/ids.server.ts'
import { hmac } from '#lib/crypto/keys.server.ts'
import { CODE_MINUTES, REQUEST_MINUTES, TRIES_PER_REQUEST } from './code-rules.ts'

/** What a code is for; one for this never counts for that. */
export type CodePurpose = 'register' | 'sign-in' | 'new-password' | 'new-phone' | 'confirm' | 'order-phone'
/** Also what is proven without an SMS. */
export type Purpose = CodePurpose | 'second-factor' | 'first-password'

/** What a browser has begun and must prove. */
export interface Challenge {
  id: number
  purpose: Purpose
  phone: string | null
  userId: number | null
  details: ChallengeDetails
  nextPath: string
  sentAt: Date
}

/** A registration as typed, kept until the number is proven; or that a first password follows a second factor. */
export interface ChallengeDetails {
  name?: string
  email?: string | null
  passwordHash?: string
  passwordOnce?: boolean
  /** The order whose phone is to be proven. */
  orderId?: number
}

export interface NewChallenge {
  purpose: Purpose
  phone?: string | null
  userId?: number | null
  details?: ChallengeDetails
  nextPath: string
  now: Date
}

/** Begins a challenge without a code. The token goes to the browser's cookie and is kept here only as its hash. */
export async function openChallenge(db: Db, wanted: NewChallenge): Promise<string> {
  const token = randomToken(32)
  const { purpose, phone = null, userId = null, details = {}, nextPath, now } = wanted
  await sql`insert into challenges (token_hash, purpose, phone, user_id, details, next_path, created_at, sent_at, expires_at)
    values (${sha256(token)}, ${purpose}, ${phone}, ${userId}, ${JSON.stringify(details)}, ${nextPath}, ${now}, ${now}, ${minutesAfter(now, REQUEST_MINUTES)})`.execute(
    db,
  )
  return token
}

const minutesAfter = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000)

/** Gives the challenge a new code, good for five minutes, and answers it; the one before is worth nothing any more. Tries already made stay made. */
export async function renewCode(db: Db, token: string, secret: string, now: Date): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await sql`update challenges set code_hash = ${codeHash(secret, token, code)}, sent_at = ${now}, expires_at = ${minutesAfter(now, CODE_MINUTES)}
    where token_hash = ${sha256(token)} and used_at is null`.execute(db)
  return code
}

function codeHash(secret: string, token: string, code: string): Buffer {
  return hmac(secret, 'code', `${token}:${code}`)
}

const COLUMNS = sql`id, purpose, phone, user_id as "userId", details, next_path as "nextPath", sent_at as "sentAt"`

/** What the browser with this token has begun and can still finish (with a new code, when the last one is too old); else null. */
export async function findChallenge(db: Db, token: string | null, now: Date): Promise<Challenge | null> {
  if (!isToken(token)) return null
  const { rows } = await sql<Challenge>`select ${COLUMNS} from challenges
    where token_hash = ${sha256(token)} and used_at is null and tries < ${TRIES_PER_REQUEST} and created_at > ${minutesAfter(now, -REQUEST_MINUTES)}`.execute(
    db,
  )
  return rows[0] ?? null
}

function isToken(token: string | null): token is string {
  return token !== null && /^[\w-]{43}$/.test(token)
}

/**
 * Counts a try at the challenge and locks it until the transaction ends, so that of several at once each counts and one wins.
 * Null when it is unknown, used, too old, or has had its tries.
 */
export async function takeTry(tx: Db, token: string, now: Date): Promise<(Challenge & { codeHash: Buffer | null }) | null> {
  if (!isToken(token)) return null
  const { rows } = await sql<Challenge & { codeHash: Buffer | null }>`update challenges set tries = tries + 1
    where token_hash = ${sha256(token)} and used_at is null and tries < ${TRIES_PER_REQUEST} and expires_at > ${now}
    returning ${COLUMNS}, code_hash as "codeHash"`.execute(tx)
  return rows[0] ?? null
}

/** Whether this is the code that was sent for the challenge. */
export function isCodeOf(challenge: { codeHash: Buffer | null }, secret: string, token: string, code: string): boolean {
  return challenge.codeHash !== null && timingSafeEqual(challenge.codeHash, codeHash(secret, token, code))
}

/** The challenge is won: it works no second time. What was typed with it is not kept any longer. False when it was won before. */
export async function endChallenge(tx: Db, id: number, now: Date): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update challenges set used_at = ${now}, details = '{}' where id = ${id} and used_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0) === 1
}
