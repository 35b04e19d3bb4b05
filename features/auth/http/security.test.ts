import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import pg from 'pg'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody, TEST_PASSWORD } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Counts the statements sent to the database, from before the first connection. Statements in one message are one round trip.
const wire = { statements: 0, roundTrips: 0, underWay: 0 }
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function counted(this: pg.Client, ...args: unknown[]) {
  wire.statements += 1
  if (wire.underWay === 0) wire.roundTrips += 1
  const asked = query.apply(this, args) as Promise<unknown> | undefined
  if (typeof asked?.then !== 'function') return asked as never
  wire.underWay += 1
  return asked.finally(() => (wire.underWay -= 1)) as never
} as never)

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
// Other test files of this process use the same class.
afterAll(() => void vi.restoreAllMocks())
afterAll(() => expect(shop.failures).toEqual([]))

let serial = 0
const newPhone = () => `014${String(30_000_000 + (serial += 1))}`

async function signedIn(overrides: object = {}) {
  const user = await buildUser(db, { phone_verified_at: new Date(), ...overrides })
  const browser = shop.visitor()
  expect((await browser.signIn(user.phone)).status).toBe(200)
  return { user, browser }
}
const isIn = async (visitor: Visitor) => (await visitor.get('/account/security', { accept: 'text/html' })).status === 200
type Security = { name: string; phone: string; email: string | null; devices: { id: number; isThis: boolean; browser: string | null }[] }
const security = async (visitor: Visitor) => pageProps<Security>((await visitor.get('/account/security')).text)

const CHANGES = ['/account/security/password', '/account/security/phone', '/account/security/email'] as const
const POSTS = [
  ...CHANGES,
  '/account/security/devices/1/sign-out',
  '/account/security/devices/sign-out-others',
  '/account/confirm',
  '/account/confirm/code',
  '/account/security/second-factor/begin',
  '/account/security/second-factor/confirm',
  '/account/security/second-factor/end',
]

it('no page with data of the account is stored for the Back button', async () => {
  const { browser } = await signedIn()
  const pages = ['/cart', '/account', '/account/security', '/account/security/name', ...CHANGES]
  for (const page of pages) {
    const { status, headers } = await browser.get(page, { accept: 'text/html' })
    expect([page, status, headers['cache-control']]).toEqual([page, 200, 'no-store, no-transform'])
  }
  expect((await shop.visitor().get('/cart', { accept: 'text/html' })).headers['cache-control']).not.toContain('no-store')
})

it.each(POSTS)('%s is for the signed-in: 401 for a call, the way to sign in for a form', async (path) => {
  expect((await shop.post(path, {})).status).toBe(401)
  const form = await shop.postForm(path, {})
  expect([form.status, form.headers.location]).toEqual([303, expect.stringMatching(/^\/login\?next=%2Faccount%2Fsecurity/)])
})

it.each(['/account/security', ...CHANGES, '/account/confirm'])('the page %s leads strangers to sign in and back', async (path) => {
  const answer = await shop.get(path, { accept: 'text/html' })
  expect([answer.status, answer.headers.location]).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
})

describe('what matters wants the password or a code again', () => {
  it.each(CHANGES)('%s: ten minutes after signing in', async (path) => {
    const { browser } = await signedIn()
    shop.passMinutes(10)
    const answer = await browser.post(path, { password: 'two white goats', phone: newPhone(), email: 'a@b.example' })
    expect([answer.status, answer.body.redirect]).toEqual([403, `/account/confirm?next=${encodeURIComponent(path)}`])
    expect((await browser.get(path, { accept: 'text/html' })).headers.location).toBe(`/account/confirm?next=${encodeURIComponent(path)}`)
    expect((await browser.post('/account/confirm', { password: 'wrong', next: path })).status).toBe(422)
    expect((await browser.get(path)).status).toBe(303)
    expect((await browser.post('/account/confirm', { password: TEST_PASSWORD, next: path })).body).toEqual({ redirect: path })
    expect((await browser.get(path)).status).toBe(200)
  })
  it('a code works too, only in its session, and redirects only within the shop', async () => {
    const { user, browser } = await signedIn()
    shop.passMinutes(11)
    await browser.post('/account/confirm/code', { next: '//evil.example' })
    const code = await codeSentTo(db, user.phone)
    const thief = (await signedIn()).browser
    thief.cookies.set('code', browser.cookies.get('code') ?? '')
    expect((await thief.post('/code', { code })).status).toBe(410)
    expect((await browser.post('/code', { code })).body).toEqual({ redirect: '/account/security' })
    expect((await browser.get('/account/security/phone')).status).toBe(200)
  })
  it('the password cannot be guessed here either', async () => {
    const { browser } = await signedIn()
    for (let tries = 0; tries < 10; tries++) expect((await browser.post('/account/confirm', { password: 'wrong' })).status).toBe(422)
    expect((await browser.post('/account/confirm', { password: TEST_PASSWORD })).status).toBe(429)
  })
})

describe('a changed password', () => {
  it('ends every other session, and gives this browser a new one', async () => {
    const { user, browser } = await signedIn()
    const elsewhere = shop.visitor()
    await elsewhere.signIn(user.phone)
    const before = browser.cookies.get('sid') ?? ''
    expect((await browser.post('/account/security/password', { password: 'two white goats' })).body).toEqual({
      redirect: '/account/security?done=password',
    })
    expect([await isIn(elsewhere), await isIn(browser), browser.cookies.get('sid') === before]).toEqual([false, true, false])
    expect((await shop.get('/account/security', { cookie: `sid=${before}` })).status).toBe(303)
    expect((await shop.post('/login', { identifier: user.phone, password: TEST_PASSWORD })).status).toBe(422)
  })
  it('is rejected when it is weak, or the own number', async () => {
    const { user, browser } = await signedIn()
    for (const password of ['', 'short', 'password1', user.phone, 'x'.repeat(129)])
      expect((await browser.post('/account/security/password', { password })).status).toBe(422)
    expect((await shop.post('/login', { identifier: user.phone, password: TEST_PASSWORD })).status).toBe(200)
  })
})

describe('another number', () => {
  const move = async (browser: Visitor, phone: string) => {
    expect((await browser.post('/account/security/phone', { phone })).body).toEqual({ redirect: '/code' })
    return browser.post('/code', { code: await codeSentTo(db, phone) })
  }
  it('is verified by a code; the old one gets an SMS', async () => {
    const { user, browser } = await signedIn()
    const phone = newPhone()
    expect((await move(browser, phone)).body).toEqual({ redirect: '/account/security?done=phone' })
    expect((await security(browser)).phone).toBe(phone)
    expect((await shop.post('/login', { identifier: phone, password: TEST_PASSWORD })).status).toBe(200)
    expect((await shop.post('/login', { identifier: user.phone, password: TEST_PASSWORD })).status).toBe(422)
    const { rows } = await sql<{
      body: string
    }>`select body from sms_outbox where phone = ${user.phone} and template = 'phone-changed'`.execute(db)
    expect(rows[0]?.body).toMatch(/014\*{5}\d{3}/)
  })
  it('ends every other session of the account', async () => {
    const { user, browser } = await signedIn()
    const elsewhere = shop.visitor()
    await elsewhere.signIn(user.phone)
    expect((await move(browser, newPhone())).status).toBe(200)
    expect([await isIn(elsewhere), await isIn(browser)]).toEqual([false, true])
  })
  it('brings the orders that were placed with it as a guest', async () => {
    const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
    const phone = newPhone()
    const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    const order = await shop.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })
    const { browser } = await signedIn()
    expect((await browser.get(`/invoice/${order.body.order_id}`)).status).toBe(404)
    expect((await move(browser, phone)).status).toBe(200)
    expect((await browser.get(`/invoice/${order.body.order_id}`)).status).toBe(200)
  })
  it('that has an account of its own stays with it', async () => {
    const other = await buildUser(db, { phone_verified_at: new Date() })
    const { user, browser } = await signedIn()
    const answer = await move(browser, other.phone)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(/already has an account/)])
    expect((await security(browser)).phone).toBe(user.phone)
  })
  it('of a guest whose number is verified meanwhile stays with its holder', async () => {
    const guest = await buildUser(db, { password_hash: null, phone_verified_at: null })
    const { user, browser } = await signedIn()
    const verifying = await db.startTransaction().execute()
    await sql`update users set phone_verified_at = now() where id = ${guest.id}`.execute(verifying)
    const moving = move(browser, guest.phone)
    await expect.poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length).toBeGreaterThan(0)
    await verifying.commit().execute()
    expect((await moving).status).toBe(409)
    expect((await security(browser)).phone).toBe(user.phone)
  })
  it('of two concurrent requests for it one succeeds', async () => {
    const phone = newPhone()
    const browsers = [(await signedIn()).browser, (await signedIn()).browser]
    const codes: (string | null)[] = []
    for (const browser of browsers) {
      await browser.post('/account/security/phone', { phone })
      codes.push(await codeSentTo(db, phone))
    }
    const answers = await Promise.all(browsers.map((browser, index) => browser.post('/code', { code: codes[index] })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  })
})

it('the email is changed, deleted, and rejected when it is invalid', async () => {
  const { browser } = await signedIn()
  for (const email of ['a@b', 'a b@c.example', '\u0000@x.example', `${'x'.repeat(250)}@c.example`])
    expect((await browser.post('/account/security/email', { email })).status).toBe(422)
  await browser.post('/account/security/email', { email: ' New@Customer.example ' })
  expect((await security(browser)).email).toBe('new@customer.example')
  await browser.post('/account/security/email', { email: '' })
  expect((await security(browser)).email).toBeNull()
})

it('the name is changed, and rejected when it is empty', async () => {
  const { browser } = await signedIn()
  for (const name of ['', ' \u200b ', '\u0000', 'x'.repeat(256)])
    expect((await browser.post('/account/security/name', { name })).status, JSON.stringify(name)).toBe(422)
  expect((await shop.post('/account/security/name', { name: 'Karim' })).status).toBe(401)
  await browser.post('/account/security/name', { name: '  Rahima Khatun ' })
  expect((await security(browser)).name).toBe('Rahima Khatun')
})

describe('devices', () => {
  it('are listed; one is signed out, or all others', async () => {
    const { user, browser } = await signedIn()
    const [one, two] = [shop.visitor(), shop.visitor()]
    await one.signIn(user.phone)
    await two.signIn(user.phone)
    const { devices } = await security(browser)
    expect(devices.map((device) => device.isThis).sort()).toEqual([false, false, true])
    const theirs = (await security(one)).devices.find((device) => device.isThis)?.id
    expect((await browser.postForm(`/account/security/devices/${theirs}/sign-out`, {})).headers.location).toBe(
      '/account/security?done=device',
    )
    expect([await isIn(one), await isIn(two), await isIn(browser)]).toEqual([false, true, true])
    await browser.post('/account/security/devices/sign-out-others')
    expect([await isIn(two), await isIn(browser)]).toEqual([false, true])
  })
  it.each([
    ['one is signed out', 'devices/ID/sign-out', {}],
    ['all others are signed out', 'devices/sign-out-others', {}],
    ['the password changes', 'password', { password: 'two white goats' }],
  ])('no longer open the orders placed there once %s', async (_name, path, body) => {
    const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
    const { user, browser } = await signedIn()
    const elsewhere = shop.visitor()
    await elsewhere.signIn(user.phone)
    const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
    const place = async (by: Visitor) => (await by.post('/customer-orders', orderBody(area.id, [[mango.id, 1]], cash))).body.order_id!
    const [there, here] = [await place(elsewhere), await place(browser)]
    const theirs = (await security(elsewhere)).devices.find((device) => device.isThis)?.id
    expect((await browser.post(`/account/security/${path.replace('ID', String(theirs))}`, body)).status).toBe(200)
    browser.clearToken()
    const opens = async (who: Visitor, id: number) => (await who.get(`/invoice/${id}`)).status
    expect([await isIn(elsewhere), await opens(elsewhere, there), await opens(browser, there)]).toEqual([false, 404, 200])
    browser.cookies.delete('sid')
    expect(await opens(browser, here)).toBe(200)
  })
  it('no longer open the orders placed there once the password is chosen by a code; a guest with the phone keeps the own one', async () => {
    const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
    const { user, browser } = await signedIn()
    const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    const guest = shop.visitor()
    const place = async (by: Visitor) =>
      (await by.post('/customer-orders', { ...body, customer: { ...body.customer, phone: user.phone } })).body.order_id!
    const [lost, own] = [await place(browser), await place(guest)]
    const elsewhere = shop.visitor()
    await elsewhere.post('/forgot-password', { phone: user.phone })
    const code = await codeSentTo(db, user.phone)
    expect((await elsewhere.post('/code', { code, password: 'two white goats' })).status).toBe(200)
    const opens = async (who: Visitor, id: number) => (await who.get(`/invoice/${id}`)).status
    expect([await opens(browser, lost), await opens(elsewhere, lost), await opens(guest, own)]).toEqual([404, 200, 200])
  })
  it('of others are 404, and stay', async () => {
    const stranger = (await signedIn()).browser
    const { browser } = await signedIn()
    const id = (await security(stranger)).devices[0]?.id
    for (const wrong of [id, 0, -1, '1e3', '9'.repeat(20), '%00', "1'--"])
      expect((await browser.post(`/account/security/devices/${wrong}/sign-out`)).status).toBe(404)
    expect(await isIn(stranger)).toBe(true)
  })
  it('this one too', async () => {
    const { browser } = await signedIn()
    const id = (await security(browser)).devices[0]?.id
    expect((await browser.post(`/account/security/devices/${id}/sign-out`)).body).toEqual({ redirect: '/' })
    expect([await isIn(browser), browser.cookies.has('sid')]).toEqual([false, false])
  })
})

it('looking up who asks is one round trip, a signed-in page at most three', async () => {
  const { browser } = await signedIn()
  const trips = async (path: string) => {
    // What the shop keeps in memory is read once.
    await browser.get(path)
    wire.statements = wire.roundTrips = 0
    expect((await browser.get(path)).status).toBe(200)
    return wire.roundTrips
  }
  expect(await trips('/csrf-token')).toBe(1)
  // A session that was last used some minutes ago is written to in the same trip.
  shop.passMinutes(6)
  wire.statements = 0
  await browser.get('/csrf-token')
  expect(wire.statements).toBe(1)
  for (const path of ['/', '/fruits', '/cart', '/login', '/account/security']) expect(await trips(path), path).toBeLessThanOrEqual(3)
  expect(wire.statements, 'the page of security').toBe(2)
})
