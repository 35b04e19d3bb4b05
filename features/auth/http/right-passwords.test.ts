import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'

// A right password is hashed as a wrong one is, and opens a session. So one account must not keep the hashing of all others busy.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => sql`truncate attempt_counts, sessions cascade`.execute(db))

const logIn = (by: Pick<Visitor, 'post'>, identifier: string) => by.post('/login', { identifier, password: TEST_PASSWORD })
/** One request after the other: several at once reach the limit of wrong passwords. */
async function repeat(count: number, ask: () => Promise<Answer>): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (let index = 0; index < count; index++) {
    const { status } = await ask()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}
const sessions = async () => (await sql<{ n: number }>`select count(*)::int as n from sessions`.execute(db)).rows[0]!.n

/** A browser that knows an account, logged out. */
async function knownBrowser(phone: string): Promise<Visitor> {
  const browser = shop.visitor()
  await browser.signIn(phone)
  const known = browser.cookies.get('known')!
  browser.cookies.clear()
  browser.cookies.set('known', known)
  browser.clearToken()
  await browser.token()
  return browser
}

describe('sixty right passwords of an account in a quarter of an hour', () => {
  it('from new browsers, then more after it', async () => {
    const { phone } = await buildUser(db)
    expect(await repeat(70, () => logIn(shop.visitor(), phone))).toEqual({ 200: 60, 429: 10 })
    expect(await sessions()).toBe(60)
    expect((await logIn(shop.visitor(), (await buildUser(db)).phone)).status).toBe(200)
    shop.passMinutes(15)
    expect((await logIn(shop.visitor(), phone)).status).toBe(200)
  })

  it('from all browsers that know it together', async () => {
    const { phone } = await buildUser(db)
    const browsers = await Promise.all(Array.from({ length: 4 }, () => knownBrowser(phone)))
    await sql`truncate attempt_counts, sessions cascade`.execute(db)
    let turn = 0
    const statuses = await repeat(70, async () => {
      const browser = browsers[(turn += 1) % browsers.length]!
      const known = browser.cookies.get('known')!
      const answer = await logIn(browser, phone)
      browser.cookies.clear()
      browser.cookies.set('known', known)
      return answer
    })
    expect([statuses, await sessions()]).toEqual([{ 200: 60, 429: 10 }, 60])
  })
})

it('a hundred wrong passwords of a stranger on the same network leave the limit of right ones as it is', async () => {
  const { phone } = await buildUser(db)
  for (let quarter = 0; quarter < 3; quarter++) {
    await repeat(35, () => shop.visitor().post('/login', { identifier: phone, password: 'wrong' }))
    shop.passMinutes(15)
  }
  shop.passMinutes(120)
  expect(await repeat(5, () => logIn(shop.visitor(), phone))).toEqual({ 200: 5 })
})

it('thirty confirmations by the right password in a quarter of an hour', async () => {
  const { phone } = await buildUser(db)
  const browser = shop.visitor()
  await browser.signIn(phone)
  const confirm = () => browser.post('/account/confirm', { password: TEST_PASSWORD })
  expect(await repeat(35, confirm)).toEqual({ 200: 30, 429: 5 })
  shop.passMinutes(15)
  expect((await confirm()).status).toBe(200)
})
