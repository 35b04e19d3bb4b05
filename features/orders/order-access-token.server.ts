import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { isIssued, issue } from '#lib/crypto/signed-value.server.ts'
import { randomToken, sha256 } from '#lib/ids/ids.server.ts'
import { hmac } from '#lib/crypto/keys.server.ts'

// The secret of a browser opens the orders placed with it. The server mints it from random bytes and marks it, so that a value
// that a sister domain or an http page wrote into the browser's cookies is not taken for one. Orders keep its SHA-256 alone.

const USE = 'browser'
const RANDOM_BYTES = 24

export function newBrowserSecret(sessionSecret: string): string {
  return issue(sessionSecret, USE, randomToken(RANDOM_BYTES))
}

export function isBrowserSecret(sessionSecret: string, value: string): boolean {
  return value.length < 200 && isIssued(sessionSecret, USE, value)
}

/**
 * The secret for an order placed without a cookie. It derives from the random `view_key` of that order, so a repeated request whose
 * first answer was lost gets the same secret. Without the session secret the key alone yields nothing.
 */
export function browserSecretOfOrder(sessionSecret: string, viewKey: string): string {
  return issue(sessionSecret, USE, hmac(sessionSecret, 'browser-of-order', viewKey).toString('base64url'))
}

const REPLAY_MINUTES = 60

/**
 * The secret for a sender without a cookie who repeats a request because its first answer was lost. Key and words are the same, and
 * the order was placed without a cookie: then its secret derives from the order. Null for all others, and where others may know the key.
 */
export async function browserOfReplay(
  { db, now, env }: { db: Db; now: () => Date; env: { sessionSecret: string } },
  sender: { browser: string | null; isKeySecret: boolean },
  orderId: number,
): Promise<string | null> {
  if (sender.browser !== null || !sender.isKeySecret) return null
  const since = new Date(now().getTime() - REPLAY_MINUTES * 60_000)
  const { rows } = await sql<{ access_token_hash: Buffer | null; view_key: string }>`
    select access_token_hash, view_key from orders where id = ${orderId} and placed_at > ${since}`.execute(db)
  if (!rows[0]) return null
  const secret = browserSecretOfOrder(env.sessionSecret, rows[0].view_key)
  return rows[0].access_token_hash?.equals(sha256(secret)) ? secret : null
}
