import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { codeSentTo, wrongCode } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// A code by SMS opens an account for a number that has none.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

let serial = 0
const newPhone = () => `014${String(20_000_000 + (serial += 1))}`
const usersOf = async (phone: string) =>
  (
    await sql<{
      id: number
      name: string
      role: string
      password_hash: string | null
      email: string | null
      phone_verified_at: Date | null
    }>`
      select id, name, role, password_hash, email, phone_verified_at from users where phone = ${phone}`.execute(db)
  ).rows

async function signInByCode(visitor: Visitor, phone: string, next?: string) {
  const begun = await visitor.post('/login/code', { phone, next })
  expect([begun.status, begun.body]).toEqual([200, { redirect: '/code' }])
  const answer = await visitor.post('/code', { code: await codeSentTo(db, phone) })
  visitor.clearToken()
  return answer
}

function order(visitor: Visitor, customer: object) {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  return visitor.post('/customer-orders', { ...body, customer: { ...body.customer, ...customer } })
}

describe('a number without an account', () => {
  it('becomes that of a new customer without a password, who is asked for the name', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    const answer = await signInByCode(browser, phone, '/cart#details')
    const ask = '/account/security/name?next=%2Fcart%23details'
    expect(answer.body).toEqual({ user: { id: expect.any(Number), name: 'Customer', role: 'customer' }, redirect: ask })
    expect(await usersOf(phone)).toEqual([
      { id: expect.any(Number), name: 'Customer', role: 'customer', password_hash: null, email: null, phone_verified_at: shop.clock.now },
    ])
    const page = await browser.get(ask)
    expect(pageProps(page.text)).toMatchObject({ what: 'name', value: '', next: '/cart#details' })
    // Pages show the number in place of the missing name.
    expect(page.text).toContain(`Logged in as ${phone}`)
    const empty = await browser.postForm('/account/security/name', { name: ' ', next: '/cart#details' })
    expect([empty.status, pageProps(empty.text)]).toMatchObject([422, { next: '/cart#details', errors: { name: 'Name is required' } }])
    const named = await browser.postForm('/account/security/name', { name: 'রহিমা Khatun', next: '/cart#details' })
    expect([named.status, named.headers.location]).toEqual([303, '/cart#details'])
    expect(named.headers['set-cookie']?.[0]).toMatch(/^confirmPayment=1; Max-Age=60; Path=\/; SameSite=Lax$/)
    expect((await usersOf(phone))[0]?.name).toBe('রহিমা Khatun')
  })

  it('is asked once: after skipping, the next login leads straight on', async () => {
    const phone = newPhone()
    const first = await signInByCode(shop.visitor(), phone)
    expect(first.body.redirect).toBe('/account/security/name?next=%2F')
    expect((await signInByCode(shop.visitor(), phone, '/fruits')).body).toMatchObject({ redirect: '/fruits' })
    expect(await usersOf(phone)).toHaveLength(1)
  })

  it('gets a Bengali placeholder on a Bengali page; neither is offered as a name', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    await browser.postForm('/language', { lang: 'bn' })
    await signInByCode(browser, phone)
    expect((await usersOf(phone))[0]?.name).toBe('ক্রেতা')
    expect((await browser.get('/address/customer-info')).body).toMatchObject({ name: '', phone })
    expect(pageProps<{ account: object }>((await browser.get('/account/addresses')).text).account).toMatchObject({ name: '', phone })
    expect(pageProps<{ account: object }>((await browser.get('/cart')).text).account).toMatchObject({
      name: '',
      phone,
      isPhoneVerified: true,
    })
  })

  it('sets a password later and logs in with it', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    await signInByCode(browser, phone)
    expect((await shop.visitor().signIn(phone, 'three brown cows')).status).toBe(422)
    expect((await browser.post('/account/security/password', { password: 'three brown cows' })).status).toBe(200)
    expect((await shop.visitor().signIn(phone, 'three brown cows')).status).toBe(200)
  })

  it('two browsers with a code each open one account', async () => {
    const phone = newPhone()
    const browsers = [shop.visitor(), shop.visitor()]
    const codes: (string | null)[] = []
    for (const browser of browsers) {
      await browser.post('/login/code', { phone })
      codes.push(await codeSentTo(db, phone))
    }
    const answers = await Promise.all(browsers.map((browser, index) => browser.post('/code', { code: codes[index] })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await usersOf(phone)).toHaveLength(1)
  })

  it('nothing is created by a wrong code or without the anti-forgery token', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    await browser.post('/login/code', { phone })
    const code = await codeSentTo(db, phone)
    expect((await browser.post('/code', { code: wrongCode(code) })).status).toBe(422)
    expect((await browser.post('/code', { code }, { token: 'x' })).status).toBe(403)
    expect(await usersOf(phone)).toEqual([])
  })

  it('opens no account for the admin', async () => {
    const phone = newPhone()
    const answer = await signInByCode(shop.visitor(), phone, '/admin/orders')
    expect([answer.status, answer.body.message]).toEqual([409, 'No account found for this number.'])
    expect(await usersOf(phone)).toEqual([])
  })
})

describe('a number that the shop knows', () => {
  it('of a guest brings its orders and its name', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    const placed = await order(shop, { phone, name: 'As a guest' })
    const answer = await signInByCode(browser, phone, '/account')
    expect(answer.body).toMatchObject({ user: { name: 'As a guest' }, redirect: '/account' })
    expect((await browser.get(`/invoice/${placed.body.order_id}`)).status).toBe(200)
  })

  it('of a walk-in customer without a name is asked for it', async () => {
    const guest = await buildUser(db, { password: null, name: 'Walk-in customer' })
    expect((await signInByCode(shop.visitor(), guest.phone)).body.redirect).toBe('/account/security/name?next=%2F')
  })

  it('of a merged customer stays closed', async () => {
    const target = await buildUser(db)
    const merged = await buildUser(db, { password: null, disabled_at: new Date(), merged_into: target.id })
    const browser = shop.visitor()
    expect([(await signInByCode(browser, merged.phone)).status, browser.cookies.has('sid')]).toEqual([403, false])
  })

  it('of staff keeps role and name; a confirmed second factor is still asked for', async () => {
    const clerk = await buildUser(db, { role: 'sales', name: 'Clerk' })
    expect((await signInByCode(shop.visitor(), clerk.phone)).body).toMatchObject({
      user: { name: 'Clerk', role: 'sales' },
      redirect: '/admin',
    })
    await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${clerk.id}, '\\x00', now(), now())`.execute(
      db,
    )
    const browser = shop.visitor()
    expect([(await signInByCode(browser, clerk.phone)).body, browser.cookies.has('sid')]).toEqual([{ redirect: '/code' }, false])
  })

  it('a login in a browser with a session replaces it', async () => {
    const [browser, phone] = [shop.visitor(), newPhone()]
    const user = await buildUser(db)
    await browser.signIn(user.phone)
    const before = browser.cookies.get('sid')
    await signInByCode(browser, phone)
    expect(browser.cookies.get('sid')).not.toBe(before)
    expect((await sql`select 1 from sessions where user_id = ${user.id}`.execute(db)).rows).toEqual([])
  })
})

describe('an order of a customer who logged in by code', () => {
  it('needs no email, and gives the account its name', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    await signInByCode(browser, phone)
    const gift = await order(browser, { phone: newPhone(), name: 'Somewhere else', email: '' })
    expect([gift.status, (await usersOf(phone))[0]?.name]).toEqual([200, 'Customer'])
    const placed = await order(browser, { phone, name: 'Rahima', email: '' })
    expect([placed.status, (await usersOf(phone))[0]?.name]).toEqual([200, 'Rahima'])
    expect((await browser.get(`/invoice/${placed.body.order_id}`)).status).toBe(200)
    await order(browser, { phone, name: 'Another name', email: '' })
    expect((await usersOf(phone))[0]?.name).toBe('Rahima')
  })

  it('still rejects a wrong email, and every order of a guest or of an unverified phone without one', async () => {
    const [phone, browser] = [newPhone(), shop.visitor()]
    await signInByCode(browser, phone)
    const wrong = await order(browser, { phone, email: 'a@b' })
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['customer.email']])
    for (const email of ['', ' ']) {
      const guest = await order(shop, { phone, email })
      expect([guest.status, guest.body.errors]).toEqual([422, { 'customer.email': ['Email is required'] }])
    }
    const unverified = shop.visitor()
    await unverified.signIn((await buildUser(db)).phone)
    expect((await order(unverified, { email: '' })).status).toBe(422)
  })

  it('does not get the email that a guest gave with the number; that of staff stays', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    await order(shop.visitor(), { phone, email: 'stranger@mail.example' })
    expect((await usersOf(phone))[0]?.email).toBe('stranger@mail.example')
    const browser = shop.visitor()
    await signInByCode(browser, phone)
    expect((await usersOf(phone))[0]?.email).toBeNull()
    expect((await browser.get('/cart')).text).not.toContain('stranger@mail.example')
    await sql`insert into users (name, phone, email, email_at) values ('Rahima', ${other}, 'rahima@mail.example', now())`.execute(db)
    await signInByCode(shop.visitor(), other)
    expect((await usersOf(other))[0]?.email).toBe('rahima@mail.example')
  })
})

it('a code to the former number confirms nothing once the account has another', async () => {
  const [phone, next] = [newPhone(), newPhone()]
  await buildUser(db, { phone, phone_verified_at: new Date() })
  const [thief, owner] = [shop.visitor(), shop.visitor()]
  for (const one of [thief, owner]) await one.signIn(phone)
  expect((await thief.post('/account/confirm/code', {})).status).toBe(200)
  const code = await codeSentTo(db, phone)
  expect((await owner.post('/account/security/phone', { phone: next })).status).toBe(200)
  expect((await owner.post('/code', { code: await codeSentTo(db, next) })).status).toBe(200)
  // The thief's session has ended with the number: the page that is opened next has another token.
  expect((await thief.post('/code', { code })).status).toBe(403)
  thief.clearToken()
  expect((await thief.post('/code', { code })).status).toBe(410)
})
