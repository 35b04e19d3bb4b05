import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { totpCode, totpStep } from '#features/auth/totp.server.ts'
import { codeSentTo, wrongCode } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Limits that an attacker fills must not keep the owner of an account out, and still bound his guesses.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true, trustProxy: '127.0.0.1' })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const atDawn = () => void (shop.clock.now = new Date(Math.ceil(shop.clock.now.getTime() / 86_400_000) * 86_400_000))
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const login = async (visitor: Visitor, identifier: string, password: string, ip: string, more: object = {}) => {
  const answer = await visitor.post('/login', { identifier, password, ...more }, from(ip))
  visitor.clearToken()
  return answer.status
}
const HOME = '203.0.113.7'
const network = (index: number) => `198.51.${Math.floor(index / 250)}.${index % 250}`

/** A browser that has signed in to the account, and out again. */
async function ownBrowser(phone: string, password = TEST_PASSWORD) {
  const browser = shop.visitor()
  expect(await login(browser, phone, password, HOME)).toBe(200)
  await browser.signOut()
  return browser
}

/** Fills the tries that unknown browsers have at an account, from many networks. */
async function besiege(identifier: string) {
  for (let index = 0; index < 15; index++) expect(await login(shop, identifier, 'wrong', network(index))).toBe(422)
  expect(await login(shop, identifier, TEST_PASSWORD, network(15))).toBe(429)
}

describe('the owner of an account that is being attacked', () => {
  it('signs in with the browser that has done so before', async () => {
    const { phone } = await buildUser(db, { role: 'owner' })
    const browser = await ownBrowser(phone)
    await besiege(phone)
    expect(await login(browser, phone, TEST_PASSWORD, HOME)).toBe(200)
    expect(await login(shop.visitor(), phone, TEST_PASSWORD, HOME)).toBe(429)
  })

  it('signs in with any browser while one network attacks, and from that network with his own', async () => {
    const { phone } = await buildUser(db)
    const browser = await ownBrowser(phone)
    for (let tries = 0; tries < 10; tries++) expect(await login(shop, phone, 'wrong', network(1))).toBe(422)
    for (let tries = 0; tries < 50; tries++) expect(await login(shop, phone, 'wrong', network(1))).toBe(429)
    expect(await login(shop, phone, TEST_PASSWORD, network(1))).toBe(429)
    expect(await login(shop.visitor(), phone, TEST_PASSWORD, HOME)).toBe(200)
    expect(await login(browser, phone, TEST_PASSWORD, network(1))).toBe(200)
  })

  it('signs in although an attacker writes his network in front of his phone', async () => {
    const { phone } = await buildUser(db)
    for (let tries = 0; tries < 10; tries++) expect(await login(shop, `${HOME}:${phone}`, 'wrong', network(1))).toBe(422)
    expect(await login(shop.visitor(), phone, TEST_PASSWORD, HOME)).toBe(200)
  })

  it('signs in with a second factor, and only with a right one, once', async () => {
    const { phone } = await buildUser(db, { role: 'owner' })
    const browser = shop.visitor()
    await login(browser, phone, TEST_PASSWORD, HOME)
    const begun = (await browser.post('/account/security/second-factor/begin')).body as unknown as { key: string }
    const secret = secretOf(begun.key)
    await browser.post('/account/security/second-factor/confirm', { code: totpCode(secret, totpStep(shop.clock.now)) })
    shop.passMinutes(1)
    await besiege(phone)
    const code = totpCode(secret, totpStep(shop.clock.now))
    expect(await login(shop.visitor(), phone, TEST_PASSWORD, HOME, { code: wrongCode(code) })).toBe(429)
    // A valid code bypasses the limit, not the password, and is used up.
    expect(await login(shop.visitor(), phone, 'wrong', HOME, { code })).toBe(422)
    expect(await login(shop.visitor(), phone, TEST_PASSWORD, HOME, { code })).toBe(429)
    shop.passMinutes(1)
    const stranger = shop.visitor()
    expect(await login(stranger, phone, TEST_PASSWORD, HOME, { code: totpCode(secret, totpStep(shop.clock.now)) })).toBe(200)
    expect((await stranger.get('/admin')).status).toBe(200)
    // Codes are not guessed by the hundred either.
    const statuses = []
    for (let tries = 0; tries < 20; tries++) statuses.push(await login(shop, phone, TEST_PASSWORD, network(99), { code: '000000' }))
    expect(new Set(statuses)).toEqual(new Set([429]))
    const { rows } = await sql<{ count: number }>`select count from attempt_counts where key like 'factor-first:%' and key like '%900'
      and key like ${`%${network(99)}%`}`.execute(db)
    expect(rows[0]?.count).toBe(10)
  })

  it('is shown the way in by the form', async () => {
    const { phone } = await buildUser(db)
    await besiege(phone)
    const answer = await shop.send(
      'POST',
      '/login',
      new URLSearchParams({ identifier: phone, password: 'x', _token: await shop.token() }).toString(),
      {
        headers: { ...from(HOME).headers, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      },
    )
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true])
    expect(answer.text).toMatch(/name="code"/)
    expect(answer.text).toContain('log in with an SMS code')
  })

  it('confirms who he is although his network has used up its sign-ins', async () => {
    const { phone } = await buildUser(db)
    const browser = shop.visitor()
    await login(browser, phone, TEST_PASSWORD, HOME)
    shop.passMinutes(11)
    const quarter = new Date(Math.floor(shop.clock.now.getTime() / 900_000) * 900_000)
    await sql`insert into attempt_counts (key, window_start, count) values (${`sign-in-from:${HOME} 900`}, ${quarter}, 300)
      on conflict (key, window_start) do update set count = 300`.execute(db)
    expect(await login(shop, '01700009999', 'wrong', HOME)).toBe(429)
    expect((await browser.post('/account/confirm', { password: TEST_PASSWORD }, from(HOME))).status).toBe(200)
  })
})

describe('an attacker', () => {
  it('has a hundred guesses a day at an account, with however many networks', async () => {
    const { phone } = await buildUser(db)
    atDawn()
    let guesses = 0
    for (let quarter = 0; quarter < 12; quarter++) {
      for (let index = 0; index < 16; index++) if ((await login(shop, phone, 'wrong', network(quarter * 16 + index))) === 422) guesses += 1
      shop.passMinutes(15)
    }
    expect(guesses).toBe(100)
  })

  it('on one network has forty, and waits longer and longer', async () => {
    const { phone } = await buildUser(db)
    atDawn()
    const waits = new Set<number>()
    let guesses = 0
    for (let quarter = 0; quarter < 30; quarter++) {
      for (let tries = 0; tries < 11; tries++) {
        const answer = await shop.post('/login', { identifier: phone, password: 'wrong' }, from(network(1)))
        if (answer.status === 422) guesses += 1
        else waits.add(Number(answer.headers['retry-after']))
      }
      shop.passMinutes(15)
    }
    expect(guesses).toBe(40)
    expect([Math.min(...waits) <= 900, Math.max(...waits) > 7200]).toEqual([true, true])
  })

  it('gains nothing by a made-up mark, that of another account, or one from before the password was changed', async () => {
    const [victim, own] = [await buildUser(db), await buildUser(db)]
    const known = (await ownBrowser(own.phone)).cookies.get('known') ?? ''
    const old = await ownBrowser(victim.phone)
    const mark = old.cookies.get('known') ?? ''
    expect(mark).toMatch(new RegExp(`^${victim.id}\\.[\\w-]{16}\\.\\d+\\.[\\w-]{43}$`))
    const elsewhere = shop.visitor()
    await login(elsewhere, victim.phone, TEST_PASSWORD, HOME)
    expect((await elsewhere.post('/account/security/password', { password: 'two white goats' })).status).toBe(200)
    await besiege(victim.phone)
    const cookies = [
      known,
      known.replace(/^\d+/, String(victim.id)),
      mark,
      `${mark}~${mark}`,
      mark.slice(0, -1),
      `${victim.id}.${'A'.repeat(16)}.1.${'A'.repeat(43)}`,
      '~'.repeat(900),
      'x'.repeat(5000),
      '%00',
    ]
    for (const cookie of cookies) {
      const headers = { ...from(HOME).headers, cookie: `known=${cookie}` }
      const answer = await shop.post('/login', { identifier: victim.phone, password: 'two white goats' }, { headers })
      expect([cookie, answer.status]).toEqual([cookie, 429])
    }
    await elsewhere.signOut()
    expect(await login(elsewhere, victim.phone, 'two white goats', HOME)).toBe(200)
  })

  it('who has the browser itself has fifty guesses a day with it', async () => {
    const { phone } = await buildUser(db)
    const stolen = await ownBrowser(phone)
    atDawn()
    let guesses = 0
    for (let quarter = 0; quarter < 8; quarter++) {
      for (let tries = 0; tries < 11; tries++) if ((await login(stolen, phone, 'wrong', HOME)) === 422) guesses += 1
      shop.passMinutes(15)
    }
    expect(guesses).toBe(50)
  })

  it('uses up no second factor of the owner, even with the password', async () => {
    const user = await buildUser(db, { role: 'owner' })
    const browser = shop.visitor()
    await login(browser, user.phone, TEST_PASSWORD, HOME)
    const begun = (await browser.post('/account/security/second-factor/begin')).body as unknown as { key: string }
    const secret = secretOf(begun.key)
    await browser.post('/account/security/second-factor/confirm', { code: totpCode(secret, totpStep(shop.clock.now)) })
    shop.passMinutes(1)
    let wrong = 0
    for (let round = 0; round < 8; round++) {
      const thief = shop.visitor()
      expect(await login(thief, user.phone, TEST_PASSWORD, network(round))).toBe(200)
      // The fifth ends the request.
      for (let tries = 0; tries < 5; tries++) if ((await thief.post('/code', { code: '000000' })).status !== 429) wrong += 1
    }
    expect(wrong).toBe(30)
    // The signed-in user ends it, and the known browser passes.
    expect((await browser.post('/account/security/second-factor/end', { code: '000000' })).status).toBe(422)
    await browser.signOut()
    expect(await login(browser, user.phone, TEST_PASSWORD, HOME)).toBe(200)
    expect((await browser.post('/code', { code: totpCode(secret, totpStep(shop.clock.now)) })).status).toBe(200)
  })
})

describe('codes by SMS', () => {
  const ask = (visitor: Visitor, phone: string, ip: string) => visitor.post('/login/code', { phone }, from(ip))

  /** Everything that an attacker with many networks may ask for and get wrong. */
  async function besiegeCodes(phone: string, networks: number) {
    let [sent, wrong] = [0, 0]
    for (let quarter = 0; quarter < 6; quarter++) {
      for (let index = 0; index < networks; index++) {
        const thief = shop.visitor()
        if ((await ask(thief, phone, network(index))).status !== 200) continue
        sent += 1
        const code = await codeSentTo(db, phone)
        for (let tries = 0; tries < 5; tries++)
          if ((await thief.post('/code', { code: wrongCode(code) }, from(network(index)))).status !== 429) wrong += 1
      }
      shop.passMinutes(15)
    }
    return { sent, wrong }
  }

  it('reach the owner’s own browser whatever others ask for and get wrong, and work there', async () => {
    const { phone } = await buildUser(db, { phone_verified_at: new Date() })
    const browser = await ownBrowser(phone)
    atDawn()
    const { sent, wrong } = await besiegeCodes(phone, 8)
    expect([sent, wrong]).toEqual([10, 50])
    expect((await ask(shop.visitor(), phone, HOME)).status).toBe(429)
    expect((await ask(browser, phone, HOME)).status).toBe(200)
    const answer = await browser.post('/code', { code: await codeSentTo(db, phone) }, from(HOME))
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ redirect: '/' })])
  })

  it('reach any browser elsewhere while one network attacks', async () => {
    const { phone } = await buildUser(db, { phone_verified_at: new Date() })
    atDawn()
    const { sent, wrong } = await besiegeCodes(phone, 1)
    expect([sent, wrong]).toEqual([6, 15])
    const stranger = shop.visitor()
    expect((await ask(stranger, phone, HOME)).status).toBe(200)
    expect((await stranger.post('/code', { code: await codeSentTo(db, phone) }, from(HOME))).status).toBe(200)
  })

  it('of a known browser are twenty a day, however often it signs in', async () => {
    const { phone } = await buildUser(db, { phone_verified_at: new Date() })
    atDawn()
    let sent = 0
    for (let round = 0; round < 30; round++) {
      const browser = await ownBrowser(phone)
      if ((await ask(browser, phone, HOME)).status === 200) sent += 1
    }
    expect(sent).toBe(20)
  })

  it('to confirm who one is reach the signed-in owner, too', async () => {
    const { phone } = await buildUser(db, { phone_verified_at: new Date() })
    const browser = shop.visitor()
    await login(browser, phone, TEST_PASSWORD, HOME)
    browser.cookies.delete('known')
    atDawn()
    await besiegeCodes(phone, 8)
    expect((await browser.post('/account/confirm/code', {}, from(HOME))).status).toBe(200)
    expect((await browser.post('/code', { code: await codeSentTo(db, phone) }, from(HOME))).status).toBe(200)
  })
})

it('the mark is a cookie that no script reads, of this host alone where there is https, and one browser holds those of eight accounts', async () => {
  const { phone, id } = await buildUser(db)
  const secure = await openShop({ databaseUrl: url, rateLimit: true, publicUrl: 'https://shop.example' })
  const answer = await secure.post('/login', { identifier: phone, password: TEST_PASSWORD })
  const line = answer.headers['set-cookie']?.find((one) => one.startsWith('__Host-known=')) ?? ''
  expect(line).toMatch(/^__Host-known=[\w.~-]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const browser = await ownBrowser(phone)
  const others = []
  for (let count = 0; count < 8; count++) others.push(await buildUser(db))
  for (const other of others) {
    expect(await login(browser, other.phone, TEST_PASSWORD, HOME)).toBe(200)
    await browser.signOut()
  }
  const marks = (browser.cookies.get('known') ?? '').split('~').map((text) => Number(text.split('.')[0]))
  expect(marks).toEqual(others.map((other) => other.id).reverse())
  expect(marks).not.toContain(id)
})

it('a mark is forgotten after a year', async () => {
  const { phone } = await buildUser(db)
  const browser = await ownBrowser(phone)
  shop.passMinutes(366 * 24 * 60)
  await besiege(phone)
  expect(await login(browser, phone, TEST_PASSWORD, HOME)).toBe(429)
})

function secretOf(key: string): Buffer {
  const bits = [...key.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
