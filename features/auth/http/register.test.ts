import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { codeSentTo, wrongCode } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody, TEST_PASSWORD } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

let serial = 0
const newPhone = () => `015${String(20_000_000 + (serial += 1))}`
const form = (phone: string, more: object = {}) => ({ name: 'Rahima Khatun', phone, password: 'three brown cows', ...more })
const person = async (phone: string) =>
  (
    await sql<{
      id: number
      name: string
      email: string | null
      role: string
      password_hash: string | null
      phone_verified_at: Date | null
    }>`select * from users where phone = ${phone}`.execute(db)
  ).rows[0]

async function register(visitor: Visitor, phone: string, more: object = {}) {
  const begun = await visitor.post('/register', form(phone, more))
  expect([begun.status, begun.body]).toEqual([200, { redirect: '/code' }])
  const answer = await visitor.post('/code', { code: await codeSentTo(db, phone) })
  visitor.clearToken()
  return answer
}

describe('registering', () => {
  it('proves the phone with the code of an SMS, and signs in', async () => {
    const phone = newPhone()
    const browser = shop.visitor()
    const begun = await browser.post('/register', form(`+88 ${phone}`, { email: 'Rahima@Customer.example', next: '/cart' }))
    expect([begun.status, begun.body]).toEqual([200, { redirect: '/code' }])
    expect(begun.headers['set-cookie']?.[0]).toMatch(/^code=[\w-]{43};.*HttpOnly; SameSite=Lax/)
    expect(await person(phone)).toBeUndefined()
    const answer = await browser.post('/code', { code: await codeSentTo(db, phone) })
    expect(answer.body).toEqual({ user: { id: expect.any(Number), name: 'Rahima Khatun', role: 'customer' }, redirect: '/cart' })
    expect(await person(phone)).toMatchObject({
      name: 'Rahima Khatun',
      email: 'rahima@customer.example',
      role: 'customer',
      phone_verified_at: shop.clock.now,
    })
    for (const identifier of [phone, 'RAHIMA@customer.example', '\u2068rahima@customer.example\u2069', '\u200brahima@customer.example '])
      expect((await shop.visitor().signIn(identifier, 'three brown cows')).status).toBe(200)
    const { status, body } = await shop.visitor().signIn('rahima\u0000@customer.example', 'three brown cows')
    expect([status, body.message]).toEqual([422, 'Incorrect phone, email or password.'])
  })

  it('works as a form without script, step by step', async () => {
    const phone = newPhone()
    const browser = shop.visitor()
    const begun = await browser.postForm('/register', { ...form(phone), email: '', next: '/fruits' })
    expect([begun.status, begun.headers.location]).toEqual([303, '/code'])
    expect(pageProps((await browser.get('/code')).text)).toMatchObject({ challenge: { purpose: 'register', phone } })
    const wrong = await browser.postForm('/code', { code: wrongCode(await codeSentTo(db, phone)) })
    expect([wrong.status, pageProps<{ errors: object }>(wrong.text).errors]).toEqual([
      422,
      { code: expect.stringMatching(/^Incorrect code/) },
    ])
    const typed = [...((await codeSentTo(db, phone)) ?? '')].map((figure) => '০১২৩৪৫৬৭৮৯'[Number(figure)]).join(' ')
    const done = await browser.postForm('/code', { code: typed })
    expect([done.status, done.headers.location, browser.cookies.has('sid'), browser.cookies.has('code')]).toEqual([
      303,
      '/fruits',
      true,
      false,
    ])
  })

  it('tells what is wrong at each field, keeps what was typed and not the password, and sends nothing', async () => {
    const bad = { name: ' ', phone: '12345', email: 'a@b', password: 'password1' }
    const answer = await shop.post('/register', bad)
    expect([answer.status, Object.keys(answer.body.errors ?? {}).sort()]).toEqual([422, ['email', 'name', 'password', 'phone']])
    const again = await shop.postForm('/register', bad)
    expect(again.status).toBe(422)
    expect(pageProps(again.text)).toMatchObject({ values: { name: ' ', phone: '12345', email: 'a@b' } })
    expect(again.text).not.toContain('password1')
    expect(await codeSentTo(db, '12345')).toBeNull()
  })

  it('takes no role, id, proof or disabling from the body', async () => {
    const phone = newPhone()
    await register(shop.visitor(), phone, {
      role: 'owner',
      id: 1,
      phone_verified_at: null,
      disabled_at: '2020-01-01',
      password_once: true,
      purpose: 'new-phone',
      user_id: 1,
    })
    expect(await person(phone)).toMatchObject({ role: 'customer', disabled_at: null, password_once: false })
  })
})

describe('orders of a guest', () => {
  it('join the account of who proves the phone, and can be opened', async () => {
    const phone = newPhone()
    const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    const order = await shop.post('/customer-orders', { ...body, customer: { ...body.customer, phone, name: 'As a guest' } })
    const browser = shop.visitor()
    expect((await browser.get(`/invoice/${order.body.order_id}`)).status).toBe(404)
    await register(browser, phone)
    expect((await person(phone))?.name).toBe('Rahima Khatun')
    expect((await browser.get(`/invoice/${order.body.order_id}`)).status).toBe(200)
  })

  it('come along with a code alone: the guest has an account without a password', async () => {
    const guest = await buildUser(db, { password: null })
    const browser = shop.visitor()
    await browser.post('/login/code', { phone: guest.phone })
    const answer = await browser.post('/code', { code: await codeSentTo(db, guest.phone) })
    expect(answer.body).toMatchObject({ user: { id: guest.id }, redirect: '/' })
    expect(await person(guest.phone)).toMatchObject({ password_hash: null, phone_verified_at: shop.clock.now })
  })
})

describe('no account is prepared for another person', () => {
  it('a registration that was never verified leaves nothing that signs in', async () => {
    const phone = newPhone()
    const [attacker, owner] = [shop.visitor(), shop.visitor()]
    await attacker.post('/register', form(phone, { password: 'the attacker knows this', email: 'attacker@evil.example' }))
    await register(owner, phone)
    expect((await person(phone))?.email).toBeNull()
    expect((await shop.visitor().signIn(phone, 'the attacker knows this')).status).toBe(422)
    expect((await shop.visitor().signIn('attacker@evil.example', 'the attacker knows this')).status).toBe(422)
    // Even the code of the other's SMS does not help in the attacker's browser.
    expect((await attacker.post('/code', { code: await codeSentTo(db, phone) })).status).toBe(422)
  })

  it('a password, email and session from before the first proof do not survive it', async () => {
    const planted = await buildUser(db, { email: 'planted@evil.example', email_at: new Date() })
    const attacker = shop.visitor()
    await attacker.signIn(planted.phone)
    const owner = shop.visitor()
    await owner.post('/login/code', { phone: planted.phone })
    expect((await owner.post('/code', { code: await codeSentTo(db, planted.phone) })).status).toBe(200)
    expect(await person(planted.phone)).toMatchObject({ password_hash: null, email: null })
    expect((await shop.visitor().signIn(planted.phone, TEST_PASSWORD)).status).toBe(422)
    expect((await attacker.get('/account/security', { accept: 'text/html' })).headers.location).toMatch(/^\/login/)
  })

  it('staff keep the password that the owner gave them', async () => {
    const clerk = await buildUser(db, { role: 'sales' })
    const browser = shop.visitor()
    await browser.post('/login/code', { phone: clerk.phone })
    await browser.post('/code', { code: await codeSentTo(db, clerk.phone) })
    expect((await shop.visitor().signIn(clerk.phone, TEST_PASSWORD)).status).toBe(200)
  })
})

it('who registers again proves the same phone: the account stays, its password is the new one, other devices are out', async () => {
  const phone = newPhone()
  const first = shop.visitor()
  await register(first, phone, { email: 'first@customer.example' })
  const before = await person(phone)
  const again = await register(shop.visitor(), phone, {
    name: 'Another name',
    email: 'second@customer.example',
    password: 'two white goats',
  })
  expect(again.status).toBe(200)
  expect(await person(phone)).toMatchObject({ id: before?.id, name: before?.name, email: 'first@customer.example' })
  expect((await shop.visitor().signIn(phone, 'three brown cows')).status).toBe(422)
  expect((await shop.visitor().signIn(phone, 'two white goats')).status).toBe(200)
  expect((await first.get('/account/security', { accept: 'text/html' })).status).toBe(303)
})

it('a closed account stays closed, whatever is verified', async () => {
  const closed = await buildUser(db, { disabled_at: new Date(), phone_verified_at: new Date() })
  for (const begin of [
    () => ['/register', form(closed.phone)],
    () => ['/login/code', { phone: closed.phone }],
    () => ['/forgot-password', { phone: closed.phone }],
  ] as const) {
    const browser = shop.visitor()
    const [path, body] = begin() as [string, object]
    await browser.post(path, body)
    const answer = await browser.post('/code', { code: await codeSentTo(db, closed.phone), password: 'three brown cows' })
    expect([answer.status, answer.body.message, browser.cookies.has('sid')]).toEqual([
      403,
      'This account is closed. Please call us.',
      false,
    ])
    await sql`truncate attempt_counts`.execute(db)
  }
})

describe('an unverified email', () => {
  const at = 'shared@customer.example'
  it('signs in to the account whose password matches, whichever has claimed the email first', async () => {
    const [one, two] = [newPhone(), newPhone()]
    await register(shop.visitor(), one, { email: at })
    shop.clock.now = new Date(shop.clock.now.getTime() + 1000)
    await register(shop.visitor(), two, { email: at, password: 'two white goats' })
    for (const [phone, password] of [
      [one, 'three brown cows'],
      [two, 'two white goats'],
    ] as const)
      expect((await shop.visitor().signIn(at, password)).body).toMatchObject({ user: { id: (await person(phone))?.id } })
    expect((await shop.visitor().signIn(at, 'one grey donkey')).status).toBe(422)
    // A new password of the one changes nothing for the other.
    await register(shop.visitor(), one, { email: at, password: 'four black sheep' })
    expect((await shop.visitor().signIn(at, 'three brown cows')).status).toBe(422)
    expect((await shop.visitor().signIn(at, 'two white goats')).status).toBe(200)
  })
  it('tries the three that have had it longest: who names it later changes nothing', async () => {
    const phones = [newPhone(), newPhone(), newPhone(), newPhone()]
    for (const [index, phone] of phones.entries()) {
      await register(shop.visitor(), phone, { email: 'many@customer.example', password: `brown cow number ${index}` })
      shop.clock.now = new Date(shop.clock.now.getTime() + 1000)
      await sql`truncate attempt_counts`.execute(db)
    }
    const statuses = []
    for (const index of phones.keys())
      statuses.push((await shop.visitor().signIn('many@customer.example', `brown cow number ${index}`)).status)
    expect(statuses).toEqual([200, 200, 200, 422])
    expect((await shop.visitor().signIn(phones[3] ?? '', 'brown cow number 3')).status).toBe(200)
  })
  it('opens no way around the tries of another account that has it', async () => {
    const victim = await buildUser(db, { email: 'victim@customer.example', email_at: new Date(0) })
    const own = newPhone()
    const attacker = shop.visitor()
    await register(attacker, own, { email: 'victim@customer.example' })
    await attacker.signOut()
    // The attacker's browser is known to his own account, and has guesses at that one only.
    const guess = () => attacker.post('/login', { identifier: 'victim@customer.example', password: 'wrong' })
    for (let tries = 0; tries < 10; tries++) expect((await guess()).status).toBe(422)
    expect((await attacker.post('/login', { identifier: 'victim@customer.example', password: TEST_PASSWORD })).status).toBe(429)
    expect((await shop.visitor().signIn(victim.phone)).status).toBe(200)
  })
})

it('ten concurrent registrations with the same code create one account', async () => {
  const phone = newPhone()
  const browser = shop.visitor()
  await browser.post('/register', form(phone))
  const code = await codeSentTo(db, phone)
  const answers = await Promise.all(Array.from({ length: 10 }, () => browser.post('/code', { code })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(410)])
  expect((await sql`select 1 from sessions s join users u on u.id = s.user_id where u.phone = ${phone}`.execute(db)).rows).toHaveLength(1)
})
