// Browsers that have signed in to an account before.
//
// The cookie holds a signed entry for each of the last accounts: the account's id, a random id of this browser, the day, and an HMAC of
// these with the hash of the password. It signs nobody in. It gives the browser attempts of its own, so that an attacker who uses up an
// account's limits does not lock out its owner. A new password invalidates every entry of the account.
import { timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { hmac } from '#lib/crypto/keys.server.ts'

export const KNOWN_BROWSER_DAYS = 365
/** A family shares a phone; cashiers share a computer. */
const MAX_ACCOUNTS = 8

/** The account that an entry is signed for. */
export interface SignedAccount {
  id: number
  passwordHash: string | null
}

/** A browser that has signed in to an account: the key of its own attempts. */
export interface KnownBrowser {
  userId: number
  browserId: string
}

interface CookieEntry extends KnownBrowser {
  day: number
  text: string
}

const SHAPE = /^(\d{1,15})\.([\w-]{16})\.(\d{1,6})\.([\w-]{43})$/

/** The cookie's entries, the newest first; malformed parts are left out. */
function readEntries(cookie: string | null): CookieEntry[] {
  if (cookie === null || cookie.length > 1000) return []
  return cookie.split('~').flatMap((text) => {
    const [, userId, browserId = '', day] = SHAPE.exec(text) ?? []
    return userId === undefined ? [] : [{ userId: Number(userId), browserId, day: Number(day), text }]
  })
}

function signEntry(secret: string, { id, passwordHash }: SignedAccount, browserId: string, day: number): string {
  const about = `${id}.${browserId}.${day}`
  return `${about}.${hmac(secret, 'known-browser', `${about}.${passwordHash ?? ''}`).toString('base64url')}`
}

const dayOf = (now: Date) => Math.floor(now.getTime() / DAY_MS)

/** This browser, if it has signed in to the account within a year and the password has not changed; else null. */
export function recognizeBrowser(secret: string, cookie: string | null, account: SignedAccount, now: Date): KnownBrowser | null {
  const found = readEntries(cookie).find(({ userId }) => userId === account.id)
  if (!found || dayOf(now) - found.day > KNOWN_BROWSER_DAYS) return null
  const expected = signEntry(secret, account, found.browserId, found.day)
  const isRight = expected.length === found.text.length && timingSafeEqual(Buffer.from(expected), Buffer.from(found.text))
  return isRight ? { userId: found.userId, browserId: found.browserId } : null
}

/** The cookie of a browser that has just signed in to the account: a new entry before those of other accounts. */
export function rememberAccount(secret: string, cookie: string | null, account: SignedAccount, now: Date): string {
  const others = readEntries(cookie).filter(({ userId }) => userId !== account.id)
  const entries = [signEntry(secret, account, randomToken(12), dayOf(now)), ...others.map(({ text }) => text)]
  return entries.slice(0, MAX_ACCOUNTS).join('~')
}

/** The ids of the accounts in the cookie. Nothing is verified before `recognizeBrowser`. */
export function knownAccountIds(cookie: string | null): number[] {
  return readEntries(cookie).map(({ userId }) => userId)
}

interface KnownDeps {
  db: Db
  now: () => Date
  env: { sessionSecret: string }
}

/** `recognizeBrowser` for the account with a phone or an id. Reads the database only when the cookie has entries. */
export async function findKnownBrowser(
  { db, now, env }: KnownDeps,
  cookie: string | null,
  by: { phone: string } | { id: number },
): Promise<KnownBrowser | null> {
  if (readEntries(cookie).length === 0) return null
  const users = db.selectFrom('users').select(['id', 'password_hash']).where('disabled_at', 'is', null)
  const found = await ('phone' in by ? users.where('phone', '=', by.phone) : users.where('id', '=', by.id)).executeTakeFirst()
  return found ? recognizeBrowser(env.sessionSecret, cookie, toCamel<SignedAccount>(found), now()) : null
}
