// Browsers that have signed in to an account before.
//
// The cookie holds a mark for each of the last accounts: whose, a random id of this browser for it, the day, and an HMAC of these with the hash
// of the password. It signs nobody in. It only gives the browser tries of its own, so that an attacker who fills an account's limits does not
// keep its owner out. A new password makes every mark of the account worthless.
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { hmac } from '#lib/crypto/keys.server.ts'

export const KNOWN_BROWSER_DAYS = 365
/** A family's telephone, the computer of a counter. */
const MAX_ACCOUNTS = 8
const DAY_MS = 86_400_000

/** What a mark is bound to. */
export interface MarkedAccount {
  id: number
  passwordHash: string | null
}

/** A browser that an account knows: the key of its own tries. */
export interface KnownBrowser {
  userId: number
  browserId: string
}

interface Mark extends KnownBrowser {
  day: number
  text: string
}

const SHAPE = /^(\d{1,15})\.([\w-]{16})\.(\d{1,6})\.([\w-]{43})$/

/** The cookie's marks, the newest first; whatever else stands in it is left out. */
function readMarks(cookie: string | null): Mark[] {
  if (cookie === null || cookie.length > 1000) return []
  return cookie.split('~').flatMap((text) => {
    const [, userId, browserId = '', day] = SHAPE.exec(text) ?? []
    return userId === undefined ? [] : [{ userId: Number(userId), browserId, day: Number(day), text }]
  })
}

function markOf(secret: string, { id, passwordHash }: MarkedAccount, browserId: string, day: number): string {
  const about = `${id}.${browserId}.${day}`
  return `${about}.${hmac(secret, 'known-browser', `${about}.${passwordHash ?? ''}`).toString('base64url')}`
}

const dayOf = (now: Date) => Math.floor(now.getTime() / DAY_MS)

/** This browser as the account knows it, when it has signed in to it within a year and the password is still the same; else null. */
export function describeStaff(secret: string, cookie: string | null, account: MarkedAccount, now: Date): KnownBrowser | null {
  const found = readMarks(cookie).find(({ userId }) => userId === account.id)
  if (!found || dayOf(now) - found.day > KNOWN_BROWSER_DAYS) return null
  const expected = markOf(secret, account, found.browserId, found.day)
  const isRight = expected.length === found.text.length && timingSafeEqual(Buffer.from(expected), Buffer.from(found.text))
  return isRight ? { userId: found.userId, browserId: found.browserId } : null
}

/** The cookie of a browser that has just signed in to the account: a new mark before those of other accounts. */
export function rememberedWith(secret: string, cookie: string | null, account: MarkedAccount, now: Date): string {
  const others = readMarks(cookie).filter(({ userId }) => userId !== account.id)
  const marks = [markOf(secret, account, randomToken(12), dayOf(now)), ...others.map(({ text }) => text)]
  return marks.slice(0, MAX_ACCOUNTS).join('~')
}

interface KnownDeps {
  db: Db
  now: () => Date
  env: { sessionSecret: string }
}

/** The same for the account of a phone, or with this id; asks the database only when the browser brings a cookie. */
export async function findKnownBrowser(
  { db, now, env }: KnownDeps,
  cookie: string | null,
  by: { phone: string } | { id: number },
): Promise<KnownBrowser | null> {
  if (readMarks(cookie).length === 0) return null
  const { rows } = await sql<MarkedAccount>`select id, password_hash as "passwordHash" from users
    where ${'phone' in by ? sql`phone = ${by.phone}` : sql`id = ${by.id}`} and disabled_at is null`.execute(db)
  return rows[0] ? describeStaff(env.sessionSecret, cookie, rows[0], now()) : null
}
