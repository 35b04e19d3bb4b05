import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '#features/auth/passwords.server.ts'
import { codeSentTo, wrongCode } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
// A hash as the shop makes it: a test below compares times.
const customer = await buildUser(db, { phone_verified_at: new Date(), password_hash: await hashPassword(TEST_PASSWORD) })
const other = await buildUser(db, { phone_verified_at: new Date() })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures.filter((line) => !line.includes('limit of SMS codes'))).toEqual([]))

const ask = (visitor: Visitor, phone: string) => visitor.post('/login/code', { phone })
const enterCode = (visitor: Visitor, code: string | null) => visitor.post('/code', { code })
const count = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from sms_outbox where purpose = 'code'`.execute(db)).rows[0]?.n
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status)

async function asked(phone = customer.phone) {
  const browser = shop.visitor()
  expect((await ask(browser, phone)).status).toBe(200)
  return { browser, code: await codeSentTo(db, phone) }
}

describe('the page to return to', () => {
  const next = '/cart#details'
  const link = (path: string) => `href="${path}?next=%2Fcart%23details"`

  it('stays for another number', async () => {
    const browser = shop.visitor()
    await browser.postForm('/login/code', { phone: customer.phone, next })
    expect((await browser.get('/code', { accept: 'text/html' })).text).toContain(link('/login'))
    const wrong = await browser.postForm('/code', { code: wrongCode(await codeSentTo(db, customer.phone)) })
    expect(wrong.text).toContain(link('/login'))
  })

  it('stays for a number without an account, which registers', async () => {
    const [browser, phone] = [shop.visitor(), '01999999998']
    await browser.postForm('/forgot-password', { phone, next })
    const answer = await browser.postForm('/code', { code: (await codeSentTo(db, phone)) ?? '', password: 'three brown cows' })
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining(link('/register'))])
  })
})

describe('does not reveal who is registered', () => {
  const unknown = '01999999999'
  it.each(['/login/code', '/forgot-password', '/register'])('%s answers alike, and sends alike', async (path) => {
    const body = (phone: string) => ({ phone, name: 'Karim', password: 'three brown cows' })
    const seen = []
    for (const phone of [
      customer.phone,
      unknown,
      (await buildUser(db, { password: null })).phone,
      (await buildUser(db, { disabled_at: new Date() })).phone,
    ]) {
      const before = (await count()) ?? 0
      const answer = await shop.post(path, body(phone))
      const { date, 'set-cookie': cookies, ...headers } = answer.headers
      seen.push([
        answer.status,
        answer.text,
        Object.keys(headers).sort(),
        cookies?.map((line) => line.replace(/=[\w-]+/, '')),
        ((await count()) ?? 0) - before,
        date !== undefined,
      ])
    }
    for (const one of seen) expect(one).toEqual(seen[0])
  })

  it.each(['/login/code', '/forgot-password', '/register', '/login'])('%s takes as long', async (path) => {
    const times = async (phone: string) => {
      const begin = performance.now()
      await shop.post(path, { phone, identifier: phone, name: 'Karim', password: 'three brown cows' })
      return performance.now() - begin
    }
    const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[3] ?? 0
    const isAlike = async () => {
      const [known, strange]: [number[], number[]] = [[], []]
      for (let round = 0; round < 7; round++) {
        await sql`truncate attempt_counts`.execute(db)
        known.push(await times(customer.phone))
        strange.push(await times(`019${String(10_000_000 + round)}`))
      }
      return Math.abs(median(known) - median(strange)) < Math.max(15, median(known) * 0.5)
    }
    // Both do the same work. The load of the machine differs from one measurement to the next; what reveals a customer does so in each.
    await expect.poll(isAlike).toBe(true)
  })

  it('only who holds the phone hears that there is no account whose password could be set', async () => {
    const browser = shop.visitor()
    await browser.post('/forgot-password', { phone: unknown })
    const answer = await browser.post('/code', { code: await codeSentTo(db, unknown), password: 'three brown cows' })
    expect([answer.status, answer.body.message]).toEqual([409, 'No account found for this number.'])
    expect((await sql`select 1 from users where phone = ${unknown}`.execute(db)).rows).toEqual([])
  })
})

describe('guessing', () => {
  it('a request has five tries, new codes or not', async () => {
    const { browser, code } = await asked()
    expect(statuses(await Promise.all([1, 2, 3].map(() => enterCode(browser, wrongCode(code)))))).toEqual([422, 422, 422])
    shop.passMinutes(1)
    expect((await browser.post('/code/resend')).status).toBe(200)
    const next = await codeSentTo(db, customer.phone)
    expect(statuses([await enterCode(browser, wrongCode(next)), await enterCode(browser, wrongCode(next))])).toEqual([422, 410])
    expect((await enterCode(browser, next)).status).toBe(410)
    expect((await browser.post('/code/resend')).status).toBe(410)
  })

  it('a number has fifteen wrong ones a day, from however many browsers and new codes; another number is not concerned', async () => {
    let wrong = 0
    for (let round = 0; round < 6; round++) {
      const { browser, code } = await asked()
      for (let tries = 0; tries < 3; tries++) {
        const answer = await enterCode(browser, wrongCode(code))
        if (answer.status === 422) wrong += 1
        else expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true])
      }
      shop.passMinutes(16)
      await sql`delete from attempt_counts where key like 'code-to%'`.execute(db)
    }
    expect(wrong).toBe(15)
    const last = await asked()
    expect((await enterCode(last.browser, last.code)).status).toBe(429)
    const elsewhere = await asked(other.phone)
    expect((await enterCode(elsewhere.browser, elsewhere.code)).status).toBe(200)
    expect((await shop.post('/login', { identifier: customer.phone, password: TEST_PASSWORD })).status).toBe(200)
    shop.passMinutes(24 * 60)
    const tomorrow = await asked()
    expect((await enterCode(tomorrow.browser, tomorrow.code)).status).toBe(200)
  })

  it('of fifty concurrent guesses five count', async () => {
    const { browser, code } = await asked()
    const answers = await Promise.all(Array.from({ length: 50 }, () => enterCode(browser, wrongCode(code))))
    expect(answers.filter((answer) => answer.status === 422).length).toBeLessThanOrEqual(5)
    const { rows } = await sql<{ tries: number }>`select tries from challenges order by id desc limit 1`.execute(db)
    expect(rows[0]?.tries).toBe(5)
  })
})

describe('a code is good for one thing, once, for five minutes, in one browser', () => {
  it('once', async () => {
    const { browser, code } = await asked()
    expect((await enterCode(browser, code)).status).toBe(200)
    browser.clearToken()
    expect((await enterCode(browser, code)).status).toBe(410)
  })
  it('not after five minutes; a new one then works, the old one does not', async () => {
    const { browser, code } = await asked()
    shop.passMinutes(5.1)
    expect((await enterCode(browser, code)).status).toBe(410)
    expect((await browser.post('/code/resend')).status).toBe(200)
    const next = await codeSentTo(db, customer.phone)
    if (next !== code) expect((await enterCode(browser, code)).status).toBe(422)
    expect((await enterCode(browser, next)).status).toBe(200)
  })
  it('not half an hour later, however often it was renewed', async () => {
    const { browser } = await asked()
    shop.passMinutes(31)
    expect([(await browser.post('/code/resend')).status, (await browser.get('/code')).headers.location]).toEqual([410, '/login'])
  })
  it('not in another browser, nor with another number', async () => {
    const one = await asked()
    const two = await asked(other.phone)
    if (one.code === two.code) return
    expect(
      statuses([await enterCode(one.browser, two.code), await enterCode(two.browser, one.code), await enterCode(shop.visitor(), one.code)]),
    ).toEqual([422, 422, 410])
  })
  it('not for another purpose: the code of signing in sets no password', async () => {
    const { browser, code } = await asked()
    await browser.post('/forgot-password', { phone: customer.phone })
    const next = await codeSentTo(db, customer.phone)
    if (next === code) return
    expect((await browser.post('/code', { code, password: 'two white goats' })).status).toBe(422)
    expect((await shop.post('/login', { identifier: customer.phone, password: 'two white goats' })).status).toBe(422)
  })
  it('twenty concurrent uses count once', async () => {
    const { browser, code } = await asked()
    const answers = statuses(await Promise.all(Array.from({ length: 20 }, () => enterCode(browser, code))))
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('making the shop send', () => {
  it('a number gets three in a quarter of an hour and six a day from one network', async () => {
    const phone = '01912345678'
    expect(
      statuses([await ask(shop.visitor(), phone), await ask(shop.visitor(), phone), await ask(shop.visitor(), `+88${phone}`)]),
    ).toEqual([200, 200, 200])
    const refused = await ask(shop.visitor(), phone)
    expect([refused.status, Number(refused.headers['retry-after']) > 0, refused.body.message]).toEqual([
      429,
      true,
      expect.stringMatching(/try again later/i),
    ])
    let sent = 3
    for (let round = 0; round < 20; round++) {
      shop.passMinutes(15)
      if ((await ask(shop.visitor(), phone)).status === 200) sent += 1
      // All within one day.
      if (round === 10) expect(sent).toBe(6)
    }
    expect(sent).toBe(6)
  })
  it('a thousand numbers from one address get three hundred an hour', async () => {
    const before = (await count()) ?? 0
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(shop, `016${String(30_000_000 + index)}`)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(300)
    expect(((await count()) ?? 0) - before).toBe(300)
  })
  it('the daily limit ends it for all and is logged', async () => {
    const day = new Date(Math.floor(shop.clock.now.getTime() / 86_400_000) * 86_400_000)
    await sql`insert into attempt_counts (key, window_start, count) values ('codes-in-all 86400', ${day}, 4999)`.execute(db)
    expect(statuses([await ask(shop.visitor(), '01912345601'), await ask(shop.visitor(), '01912345602')])).toEqual([200, 429])
    expect(shop.failures.filter((line) => line.includes('limit of SMS codes'))).toHaveLength(1)
  })
  it('one address has a fifth of the budget of the day, and another goes on', async () => {
    const behind = await openShop({ databaseUrl: url, rateLimit: true, trustProxy: '127.0.0.1' })
    const day = new Date(Math.floor(behind.clock.now.getTime() / 86_400_000) * 86_400_000)
    await sql`insert into attempt_counts (key, window_start, count) values ('code-from:2001:db8:1::/48 86400', ${day}, 999)`.execute(db)
    const askFrom = (ip: string, phone: string) => behind.visitor().post('/login/code', { phone }, { headers: { 'x-forwarded-for': ip } })
    expect((await askFrom('2001:db8:1:1::1', '01912345701')).status).toBe(200)
    // Another network of the same site, however it is written.
    for (const ip of ['2001:db8:1:1::2', '2001:db8:1:ffff::1', '2001:0DB8:0001:0002:0:0:0:1'])
      expect((await askFrom(ip, '01912345702')).status).toBe(429)
    expect((await askFrom('2001:db8:2:1::1', '01912345703')).status).toBe(200)
    expect((await askFrom('198.51.100.1', '01912345704')).status).toBe(200)
    const { rows } = await sql<{ count: number }>`select count from attempt_counts where key = 'codes-in-all 86400'`.execute(db)
    expect(rows[0]?.count).toBe(3)
    expect(behind.failures).toEqual([])
  })
  it('not again within 45 seconds', async () => {
    const { browser } = await asked()
    const soon = await browser.post('/code/resend')
    expect([soon.status, soon.headers['retry-after']]).toEqual([429, '45'])
    shop.passMinutes(0.75)
    expect((await browser.post('/code/resend')).status).toBe(200)
  })
})

it('codes are stored as HMACs that the database alone cannot test, and the log has none', async () => {
  const { code } = await asked()
  const { rows } = await sql<{ dump: string }>`select string_agg(c::text, '') as dump from challenges c`.execute(db)
  expect(rows[0]?.dump).not.toMatch(new RegExp(`\\b${code}\\b`))
  expect(shop.failures.join()).not.toContain(code)
})

it('a forgotten password: a new one with the code, other sessions end, a weak one is rejected before the code is used', async () => {
  const person = await buildUser(db, { phone_verified_at: new Date() })
  const elsewhere = shop.visitor()
  await elsewhere.signIn(person.phone)
  const browser = shop.visitor()
  const begun = await browser.postForm('/forgot-password', { phone: person.phone, next: '/cart' })
  expect([begun.status, begun.headers.location]).toEqual([303, '/code'])
  const code = (await codeSentTo(db, person.phone)) ?? ''
  const poor = await browser.postForm('/code', { code, password: 'password1' })
  expect([poor.status, Object.keys(pageProps<{ errors: object }>(poor.text).errors)]).toEqual([422, ['password']])
  const done = await browser.postForm('/code', { code, password: 'two white goats' })
  expect([done.status, done.headers.location]).toEqual([303, '/cart'])
  expect((await shop.post('/login', { identifier: person.phone, password: 'two white goats' })).status).toBe(200)
  expect((await shop.post('/login', { identifier: person.phone, password: TEST_PASSWORD })).status).toBe(422)
  expect((await elsewhere.get('/account/security')).status).toBe(303)
})

it.each([
  ['', 422],
  ['12345', 422],
  ['1234567', 422],
  ['abcdef', 422],
  ['\u0000', 422],
  [' '.repeat(100), 422],
  ['x'.repeat(2000), 422],
  ['x'.repeat(3000), 422],
  [['1'], 422],
  [123456, 422],
  [null, 422],
  [{ $ne: '' }, 422],
])('the code %j is rejected with %i', async (code, status) => {
  const { browser } = await asked(`017${String(50_000_000 + Math.floor(Math.random() * 1e6))}`)
  expect((await browser.post('/code', { code })).status).toBe(status)
})

it.each(['', 'x', 'A'.repeat(43), '"; drop table challenges', '%00'])('a made-up cookie %j has begun nothing', async (cookie) => {
  const headers = { cookie: `code=${cookie}` }
  expect((await shop.post('/code', { code: '123456' }, { headers })).status).toBe(410)
  expect((await shop.get('/code', headers)).headers.location).toBe('/login')
})
