import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { randomToken, sha256 } from '#lib/ids/ids.server.ts'
import { hmac } from '#lib/crypto/keys.server.ts'
import { CODE_MINUTES, REQUEST_MINUTES, TRIES_PER_REQUEST } from './code-rules.ts'

/** The use of a code. A code is valid for its own use only. */
export type CodePurpose = 'register' | 'sign-in' | 'new-password' | 'new-phone' | 'confirm' | 'order-phone'
/** Also the uses that no SMS verifies. */
export type Purpose = CodePurpose | 'second-factor' | 'first-password'

/** A request that a browser has begun and must verify, by a code for example. */
export interface Challenge {
  id: number
  purpose: Purpose
  phone: string | null
  userId: number | null
  details: ChallengeDetails
  nextPath: string
  sentAt: Date
}

/** The form of a registration, stored until the number is verified; or that a first password follows the second factor. */
export interface ChallengeDetails {
  name?: string
  email?: string | null
  passwordHash?: string
  passwordOnce?: boolean
  /** The order whose phone is to be verified. */
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

/** Creates a challenge without a code. Returns the token for the browser's cookie; only its hash is stored. */
export async function openChallenge(db: Db, challenge: NewChallenge): Promise<string> {
  const token = randomToken(32)
  const { purpose, phone = null, userId = null, details = {}, nextPath, now } = challenge
  await db
    .insertInto('challenges')
    .values({
      token_hash: sha256(token),
      purpose,
      phone,
      user_id: userId,
      details: JSON.stringify(details),
      next_path: nextPath,
      created_at: now,
      sent_at: now,
      expires_at: minutesAfter(now, REQUEST_MINUTES),
    })
    .execute()
  return token
}

const minutesAfter = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000)

/**
 * Replaces the code of a challenge and returns the new one, valid for five minutes. The count of attempts stays. Null when the challenge is
 * used, or has had another code since `sentAt`.
 */
export async function renewCode(db: Db, token: string, sentAt: Date, secret: string, now: Date): Promise<string | null> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const { numUpdatedRows } = await db
    .updateTable('challenges')
    .set({ code_hash: codeHash(secret, token, code), sent_at: now, expires_at: minutesAfter(now, CODE_MINUTES) })
    .where('token_hash', '=', sha256(token))
    .where('sent_at', '=', sentAt)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? code : null
}

function codeHash(secret: string, token: string, code: string): Buffer {
  return hmac(secret, 'code', `${token}:${code}`)
}

const COLUMNS = sql`id, purpose, phone, user_id, details, next_path, sent_at`

/** The open challenge of a browser's token, or null. Its code may have expired: a new one can be sent. */
export async function findChallenge(db: Db, token: string | null, now: Date): Promise<Challenge | null> {
  if (!isToken(token)) return null
  const { rows } = await sql<SnakeCased<Challenge>>`select ${COLUMNS} from challenges
    where token_hash = ${sha256(token)} and used_at is null and tries < ${TRIES_PER_REQUEST} and created_at > ${minutesAfter(now, -REQUEST_MINUTES)}`.execute(
    db,
  )
  return rows[0] ? toCamel<Challenge>(rows[0]) : null
}

function isToken(token: string | null): token is string {
  return token !== null && /^[\w-]{43}$/.test(token)
}

type ChallengeWithCode = Challenge & { codeHash: Buffer | null }

/**
 * Counts an attempt at a challenge and locks its row until the transaction ends: each concurrent attempt counts, and one succeeds.
 * Null when the challenge is unknown, used, expired, or has no attempts left.
 */
export async function countChallengeAttempt(tx: Db, token: string, now: Date): Promise<ChallengeWithCode | null> {
  if (!isToken(token)) return null
  const { rows } = await sql<SnakeCased<ChallengeWithCode>>`update challenges set tries = tries + 1
    where token_hash = ${sha256(token)} and used_at is null and tries < ${TRIES_PER_REQUEST} and expires_at > ${now}
    returning ${COLUMNS}, code_hash`.execute(tx)
  return rows[0] ? toCamel<ChallengeWithCode>(rows[0]) : null
}

/** Whether this is the code that was sent for the challenge. */
export function isCodeOf(challenge: { codeHash: Buffer | null }, secret: string, token: string, code: string): boolean {
  return challenge.codeHash !== null && timingSafeEqual(challenge.codeHash, codeHash(secret, token, code))
}

/** Marks a challenge as used and deletes its details. False when it was used already. */
export async function endChallenge(tx: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('challenges')
    .set({ used_at: now, details: '{}' })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
