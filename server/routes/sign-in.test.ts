import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const customer = await buildUser(db, { email: 'Farhana@customer.example' })
const owner = await buildUser(db, { role: 'owner' })
const guest = await buildUser(db, { password: null })
const disabled = await buildUser(db, { disabled_at: new Date() })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const cookieOf = (answer: Answer) =>
  /^sid=([^;]+)/.exec(answer.headers['set-cookie']?.find((line) => line.startsWith('sid=')) ?? '')?.[1] ?? null
const withCookie = (sid: string) => ({ cookie: `sid=${sid}` })
/** Whether a session cookie still has a session: such pages have a token of their own. */
async function isSignedIn(sid: string): Promise<boolean> {
  const [mine, strangers] = [await shop.get('/csrf-token', withCookie(sid)), await shop.get('/csrf-token')]
  return mine.text !== strangers.text
}

it.each([customer.phone, `+88${customer.phone}`, `${customer.phone.slice(0, 5)}-${customer.phone.slice(5)}`, 'farhana@CUSTOMER.example '])(
  'signs in as %j',
  async (identifier) => {
    const answer = await shop.post('/login', { identifier, password: TEST_PASSWORD })
    expect(answer.body).toEqual({ user: { id: customer.id, name: expect.any(String), role: 'customer' }, redirect: '/' })
    expect(answer.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Lax/)
    expect(answer.headers['cache-control']).toBe('no-store')
  },
)

it.each([
  ['/login?next=/admin', false],
  ['/login?next=%2Fadmin%2Forders%3Fstatus%3Dplaced', false],
  ['/login?next=/cart', true],
  ['/login?next=/administer', true],
  ['/login', true],
])('%s offers to go on as a guest: %s', async (path, isOffered) => {
  const { text } = await shop.get(path)
  expect(text.includes('Continue as a guest')).toBe(isOffered)
})

it('leads a guest who was asked for an account to the shop', async () => {
  const { text } = await shop.get('/login?next=/account/orders')
  expect(/<a href="([^"]*)"[^>]*>Continue as a guest/.exec(text)?.[1]).toBe('/')
})

it('leads back to the page with the link, and tells that page that it worked; staff need no such word', async () => {
  const page = await shop.get('/search?q=mango', { accept: 'text/html' })
  const link = /href="(\/login\?next=[^"]+)"/.exec(page.text)?.[1]
  expect(link).toBe('/login?next=%2Fsearch%3Fq%3Dmango')
  expect((await shop.get('/login', { accept: 'text/html' })).text).not.toContain('/login?next=')
  const form = { identifier: customer.phone, password: TEST_PASSWORD, next: '/cart#details' }
  const answer = await shop.visitor().postForm('/login', form)
  expect([answer.status, answer.headers.location]).toEqual([303, '/cart#details'])
  expect(answer.headers['set-cookie']?.find((line) => line.startsWith('confirmPayment='))).toMatch(
    /^confirmPayment=1; Max-Age=60; Path=\/; SameSite=Lax$/,
  )
  const staff = await shop.visitor().post('/login', { identifier: owner.phone, password: TEST_PASSWORD })
  expect(staff.headers['set-cookie']?.some((line) => line.startsWith('confirmPayment='))).toBe(false)
})

it.each(['/login', '/login?way=password', '/register', '/forgot-password'])(
  '%s leaves the complaints to the shop, in the language of the page',
  async (path) => {
    const { text } = await shop.get(path, { accept: 'text/html', cookie: 'lang=bn' })
    const forms = text.match(/<form[^>]*method="post"[^>]*>/g) ?? []
    const own = forms.filter((form) => !/action="\/(language|logout)"/.test(form))
    expect(own.length).toBeGreaterThan(0)
    for (const form of [...own, ...(text.match(/<form[^>]*role="search"[^>]*>/g) ?? [])]) expect(form).toMatch(/novalidate/i)
  },
)

it('says what is missing at the field, in Bengali on a Bengali page', async () => {
  const bengali = shop.visitor()
  await bengali.postForm('/language', { lang: 'bn' })
  const answer = await bengali.postForm('/login', { identifier: '', password: '' })
  expect(answer.status).toBe(422)
  expect(answer.text).toMatch(/id="identifier-error"[^]*?[\u0980-\u09ff]/)
})

it('sends staff to the admin', async () => {
  expect((await shop.post('/login', { identifier: owner.phone, password: TEST_PASSWORD })).body.redirect).toBe('/admin')
})

it('says the same of a wrong password, an unknown number, a guest and a disabled account', async () => {
  const tries = [
    customer.phone,
    '01999999999',
    'nobody@customer.example',
    guest.phone,
    disabled.phone,
    'not a phone',
    '\u0000',
    'a\ud800',
    `${customer.phone}' or '1'='1`,
  ]
  const answers = []
  for (const identifier of tries)
    answers.push(await shop.post('/login', { identifier, password: identifier === customer.phone ? 'wrong' : TEST_PASSWORD }))
  const said = answers.map(({ status, text, headers }) => [status, identifierless(text), headers['set-cookie']])
  for (const [index, one] of said.entries()) if (tries[index] !== '\u0000') expect(one).toEqual([422, said[0]?.[1], undefined])
  expect(said[tries.indexOf('\u0000')]?.[0]).toBe(422)
})
const identifierless = (text: string) => text.replace(/request_id":"[^"]*"/, '')

it('refuses a password that is right only in its first 128 letters, and takes long ones', async () => {
  const long = 'x'.repeat(128)
  const { phone } = await buildUser(db, { password: long })
  expect((await shop.post('/login', { identifier: phone, password: long })).status).toBe(200)
  expect((await shop.post('/login', { identifier: phone, password: `${long}y` })).status).toBe(422)
})

describe('brute force', () => {
  const attempt = (identifier: string, password: string, ip = '1.2.3.4') =>
    shop.post('/login', { identifier, password }, { headers: { 'x-forwarded-for': ip } })

  it('stops after ten tries at one account, from however many addresses, with Retry-After, even for the right password', async () => {
    const first = await Promise.all(Array.from({ length: 10 }, (_, index) => attempt(customer.phone, 'wrong', `10.0.0.${index}`)))
    expect(first.map((answer) => answer.status)).toEqual(Array(10).fill(422))
    const next = await attempt(customer.phone, TEST_PASSWORD, '10.0.0.99')
    expect(next.status).toBe(429)
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(next.headers['retry-after'])).toBeLessThanOrEqual(900)
    expect(next.body).toEqual({ message: next.body.error, error: 'Too many attempts. Please wait a moment and try again.' })
    // Another spelling of the number is the same account; another account is not concerned.
    expect((await attempt(`+88 ${customer.phone}`, TEST_PASSWORD)).status).toBe(429)
    expect((await attempt(owner.phone, TEST_PASSWORD)).status).toBe(200)
  })
  it('counts unknown accounts alike', async () => {
    for (let tries = 0; tries < 10; tries++) await attempt('01999999998', 'wrong')
    expect((await attempt('01999999998', 'wrong')).status).toBe(429)
  })
  it('lets go after the quarter of an hour', async () => {
    for (let tries = 0; tries < 11; tries++) await attempt(customer.phone, 'wrong')
    shop.clock.now = new Date(shop.clock.now.getTime() + 900_000)
    expect((await attempt(customer.phone, TEST_PASSWORD)).status).toBe(200)
  })
  it('a forged X-Forwarded-For is not the address that is counted', async () => {
    await sql`insert into attempt_counts (key, window_start, count) values ('sign-in-from:127.0.0.1 900', ${new Date(Math.floor(shop.clock.now.getTime() / 900_000) * 900_000)}, 300)`.execute(
      db,
    )
    expect((await attempt(customer.phone, TEST_PASSWORD, '9.9.9.9')).status).toBe(429)
  })
})

describe('sessions', () => {
  const signIn = async (headers: Record<string, string> = {}, token?: string) =>
    shop.post('/login', { identifier: customer.phone, password: TEST_PASSWORD }, { headers, ...(token ? { token } : {}) })

  it('never takes a session id that the browser brought', async () => {
    const planted = 'A'.repeat(43)
    const sid = cookieOf(await signIn(withCookie(planted)))
    expect(sid).not.toBe(planted)
    expect([await isSignedIn(sid ?? ''), await isSignedIn(planted)]).toEqual([true, false])
  })
  it('makes a new session at each sign-in and ends the old one', async () => {
    const browser = shop.visitor()
    await browser.signIn(customer.phone)
    const first = browser.cookies.get('sid') ?? ''
    await browser.signIn(customer.phone)
    const second = browser.cookies.get('sid') ?? ''
    expect(second).not.toBe(first)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
  })
  it('logout ends the session for good, also for who copied the cookie', async () => {
    const browser = shop.visitor()
    await browser.signIn(customer.phone)
    const copied = browser.cookies.get('sid') ?? ''
    expect((await browser.signOut()).body).toEqual({ redirect: '/' })
    expect([browser.cookies.has('sid'), await isSignedIn(copied)]).toEqual([false, false])
  })
  it('a disabled account is signed out at once', async () => {
    const user = await buildUser(db)
    const browser = shop.visitor()
    await browser.signIn(user.phone)
    await sql`update users set disabled_at = now() where id = ${user.id}`.execute(db)
    expect(await isSignedIn(browser.cookies.get('sid') ?? '')).toBe(false)
  })
  it('staff are signed out after half an hour of nothing, and after twelve hours', async () => {
    const browser = shop.visitor()
    await browser.signIn(owner.phone)
    const sid = browser.cookies.get('sid') ?? ''
    const later = (minutes: number) => (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000))
    later(29)
    expect(await isSignedIn(sid)).toBe(true)
    later(31)
    expect(await isSignedIn(sid)).toBe(false)
  })
  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5000), '\u00e9'.repeat(43), '%00'.repeat(15), `${'A'.repeat(42)}"`])(
    'a made-up cookie is nobody (%#)',
    async (sid) => {
      expect((await shop.get('/csrf-token', withCookie(sid))).text).toBe((await shop.get('/csrf-token')).text)
    },
  )
  it('keeps tokens and passwords only as hashes', async () => {
    const sid = cookieOf(await signIn()) ?? ''
    const { rows } = await sql<{
      dump: string
    }>`select (select string_agg(s::text, '') from sessions s) || (select string_agg(u::text, '') from users u) as dump`.execute(db)
    expect(rows[0]?.dump).not.toContain(sid)
    expect(rows[0]?.dump).not.toContain(TEST_PASSWORD)
  })
})

describe('where signing in leads', () => {
  // What the URL parser makes `//evil.tld` of.
  const FOREIGN = [
    '/.//evil.tld',
    '/..//evil.tld',
    '/%2e//evil.tld',
    '/%2E%2e//evil.tld',
    '/x/..//evil.tld',
    '/.///evil.tld',
    '/./\\evil.tld',
  ]
  const home = '/'
  it.each([
    ['/cart', '/cart'],
    ['/search?q=%E0%A6%97', '/search?q=%E0%A6%97'],
    ['/search?q=গরু', '/search?q=%E0%A6%97%E0%A6%B0%E0%A7%81'],
    ['//evil.tld', home],
    ['/\\evil', home],
    ['\\\\evil', home],
    ['https://evil.tld', home],
    ['javascript:alert(1)', home],
    ['/\t/evil.tld', home],
    ['/\n/evil.tld', home],
    ['///evil.tld', home],
    ['/%5cevil', '/%5cevil'],
    ['/./\\evil', home],
    ['evil.tld', home],
    ['', home],
    ['/a\ud800', '/a%EF%BF%BD'],
    ['/\u007f', '/%7F'],
    ...FOREIGN.map((next) => [next, home]),
  ])('next=%j leads to %s', async (next, target) => {
    const answer = await shop.post('/login', { identifier: customer.phone, password: TEST_PASSWORD, next })
    expect([answer.status, answer.body.redirect]).toEqual([200, target])
    const byForm = await shop.postForm('/login', { identifier: customer.phone, password: TEST_PASSWORD, next })
    expect([byForm.status, byForm.headers.location]).toEqual([303, target])
  })
  it('a form with a wrong password comes back with what was typed and its next, without the password', async () => {
    const { status, text } = await shop.postForm('/login', { identifier: customer.phone, password: 'wrong-one', next: '/cart?x=1&y=2' })
    expect(status).toBe(422)
    expect(pageProps(text)).toMatchObject({
      identifier: customer.phone,
      next: '/cart?x=1&y=2',
      problem: expect.stringMatching(/^Incorrect phone/),
    })
    expect(text).not.toContain('wrong-one')
  })
  const leadsAway = (html: string) =>
    [...html.matchAll(/(?:value|href|action)="([^"]*)"/g)].some(([, target = '']) => URL.parse(target, shop.url)?.hostname === 'evil.tld')
  it.each(['//evil.tld', ...FOREIGN])('no page offers to go on to %j, no form and no code leads there', async (next) => {
    for (const page of ['/login', '/login?way=code', '/register', '/forgot-password']) {
      const { status, text } = await shop.get(`${page}${page.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`, {
        accept: 'text/html',
      })
      expect([page, status, leadsAway(text)]).toEqual([page, 200, false])
    }
    expect((await shop.postForm('/language', { lang: 'en', next })).headers.location).toBe('/')
    const person = await buildUser(db, { phone_verified_at: new Date() })
    for (const path of ['/login/code', '/forgot-password', '/register']) {
      const browser = shop.visitor()
      await browser.postForm(path, { phone: person.phone, name: 'Karim', email: '', password: 'three brown cows', next })
      const done = await browser.postForm('/code', { code: (await codeSentTo(db, person.phone)) ?? '', password: 'three brown cows' })
      expect([path, done.status, done.headers.location]).toEqual([path, 303, '/'])
    }
    const browser = shop.visitor()
    await browser.signIn(person.phone, 'three brown cows')
    const confirmed = await browser.postForm('/account/confirm', { password: 'three brown cows', next })
    expect([confirmed.status, confirmed.headers.location]).toEqual([303, '/account/security'])
    const shown = await browser.get(`/account/confirm?next=${encodeURIComponent(next)}`)
    expect([shown.status, leadsAway(shown.text)]).toEqual([200, false])
  })
})
