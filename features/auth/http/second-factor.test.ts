import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { totpCode, totpStep } from '#features/auth/totp.server.ts'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const HOME = '/account/security/second-factor'
const isIn = async (visitor: Visitor) => (await visitor.get('/account/security', { accept: 'text/html' })).status === 200

function secretOf(key: string): Buffer {
  const bits = [...key.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
const codeOf = (secret: Buffer, drift = 0) => totpCode(secret, totpStep(shop.clock.now) + drift)

/** A clerk who has set the second factor up. */
async function withFactor(role: 'sales' | 'owner' = 'sales') {
  const user = await buildUser(db, { role, phone_verified_at: new Date() })
  const browser = shop.visitor()
  await browser.signIn(user.phone)
  const begun = (await browser.post(`${HOME}/begin`)).body as { key: string; address: string }
  expect(begun.address).toMatch(/^otpauth:\/\/totp\/Khamar:/)
  const secret = secretOf(begun.key)
  const confirmed = await browser.post(`${HOME}/confirm`, { code: codeOf(secret) })
  const recovery = (confirmed.body as { recovery_codes: string[] }).recovery_codes
  expect(recovery).toHaveLength(10)
  shop.passMinutes(1)
  return { user, browser, secret, recovery }
}

/** The password is valid: the browser waits for the second step. */
async function halfIn(phone: string) {
  const browser = shop.visitor()
  const answer = await browser.signIn(phone)
  expect([answer.status, answer.body, browser.cookies.has('sid')]).toEqual([200, { redirect: '/code' }, false])
  return browser
}

it('the page of a phone leads to the app on it: nobody scans the own screen', async () => {
  const browser = shop.visitor()
  await browser.signIn((await buildUser(db, { role: 'owner' })).phone)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  const page = await browser.post(`${HOME}/begin`, `_token=${await browser.token()}`, { headers })
  expect(page.text).toContain('href="otpauth://totp/Khamar:')
})

it('signing in asks for it after the password, and after a code by SMS', async () => {
  const { user, secret } = await withFactor()
  const browser = await halfIn(user.phone)
  expect(await isIn(browser)).toBe(false)
  const answer = await browser.post('/code', { code: codeOf(secret) })
  expect(answer.body).toMatchObject({ user: { id: user.id, role: 'sales' }, redirect: '/admin' })
  shop.passMinutes(1)
  const other = shop.visitor()
  await other.post('/login/code', { phone: user.phone })
  expect((await other.post('/code', { code: await codeSentTo(db, user.phone) })).body).toEqual({ redirect: '/code' })
  expect(await isIn(other)).toBe(false)
  expect((await other.post('/code', { code: codeOf(secret) })).status).toBe(200)
})

it('a new password by SMS does not go around it', async () => {
  const { user } = await withFactor()
  const browser = shop.visitor()
  await browser.post('/forgot-password', { phone: user.phone })
  const answer = await browser.post('/code', { code: await codeSentTo(db, user.phone), password: 'two white goats' })
  expect([answer.body, browser.cookies.has('sid')]).toEqual([{ redirect: '/code' }, false])
})

describe('a code', () => {
  it('is valid once, also in another browser and for twenty concurrent requests', async () => {
    const { user, secret } = await withFactor()
    const browsers = await Promise.all(Array.from({ length: 9 }, () => halfIn(user.phone)))
    const answers = await Promise.all(browsers.map((browser) => browser.post('/code', { code: codeOf(secret) })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(8).fill(422)])
  })
  it('of a clock a little wrong counts, of one far wrong does not', async () => {
    const { user, secret } = await withFactor()
    expect((await (await halfIn(user.phone)).post('/code', { code: codeOf(secret, -2) })).status).toBe(422)
    expect((await (await halfIn(user.phone)).post('/code', { code: codeOf(secret, 1) })).status).toBe(200)
  })
  it('cannot be guessed: five a sign-in, thirty a day, even when the password is known', async () => {
    const { user, secret } = await withFactor()
    let wrong = 0
    for (let round = 0; round < 8; round++) {
      await sql`delete from attempt_counts where key like 'sign-in%'`.execute(db)
      const browser = await halfIn(user.phone)
      for (let tries = 0; tries < 6; tries++) if ((await browser.post('/code', { code: '000000' })).status === 422) wrong += 1
    }
    expect(wrong).toBeLessThanOrEqual(30)
    await sql`delete from attempt_counts where key like 'sign-in%'`.execute(db)
    expect((await (await halfIn(user.phone)).post('/code', { code: codeOf(secret) })).status).toBe(429)
  })
})

it('a recovery code works once, however it is typed', async () => {
  const { user, recovery } = await withFactor()
  const code = recovery[3] ?? ''
  expect(
    (await (await halfIn(user.phone)).post('/code', { code: code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o') })).status,
  ).toBe(200)
  expect((await (await halfIn(user.phone)).post('/code', { code })).status).toBe(422)
  const { rows } = await sql<{
    dump: string
  }>`select string_agg(r::text, '') || (select string_agg(f::text, '') from second_factors f) as dump from recovery_codes r`.execute(db)
  expect(rows[0]?.dump).not.toContain(code.replaceAll('-', ''))
})

it('the secret is not readable in the database, nor shown again', async () => {
  const { user, browser, secret } = await withFactor()
  const { rows } = await sql<{ secret: Buffer }>`select secret from second_factors where user_id = ${user.id}`.execute(db)
  expect(rows[0]?.secret.includes(secret)).toBe(false)
  expect((await browser.post(`${HOME}/begin`)).status).toBe(409)
})

it('ends with a code of it, not without', async () => {
  const { user, browser, secret } = await withFactor()
  for (const code of ['', '000000', 'x'.repeat(2000), '\u0000']) expect((await browser.post(`${HOME}/end`, { code })).status).toBe(422)
  expect((await browser.post(`${HOME}/end`, { code: codeOf(secret) })).status).toBe(200)
  expect((await shop.visitor().signIn(user.phone)).body).toMatchObject({ user: { id: user.id } })
  const { rows } = await sql`select action, before, after from audit_log
    where subject = 'staff' and subject_id = ${String(user.id)} and actor_id = ${user.id} order by id`.execute(db)
  expect(rows).toEqual([
    { action: 'changed', before: { second_factor: false }, after: { second_factor: true } },
    { action: 'changed', before: { second_factor: true }, after: { second_factor: false } },
  ])
})

it('once it is switched on, the other sessions end: they have shown none', async () => {
  const user = await buildUser(db, { role: 'sales' })
  const [browser, other] = [shop.visitor(), shop.visitor()]
  for (const one of [browser, other]) await one.signIn(user.phone)
  const { key } = (await browser.post(`${HOME}/begin`)).body as { key: string }
  expect((await browser.post(`${HOME}/confirm`, { code: '000000' })).status).toBe(422)
  expect(await isIn(other)).toBe(true)
  expect((await browser.post(`${HOME}/confirm`, { code: codeOf(secretOf(key)) })).status).toBe(200)
  expect([await isIn(browser), await isIn(other)]).toEqual([true, false])
})

it('an unconfirmed second factor is not required', async () => {
  const user = await buildUser(db, { role: 'viewer' })
  const browser = shop.visitor()
  await browser.signIn(user.phone)
  await browser.post(`${HOME}/begin`)
  expect((await browser.post(`${HOME}/confirm`, { code: '000000' })).status).toBe(422)
  expect((await shop.visitor().signIn(user.phone)).body).toMatchObject({ user: { id: user.id } })
})

it('is for the staff, who must have shown their password just now', async () => {
  const customer = await buildUser(db)
  const browser = shop.visitor()
  await browser.signIn(customer.phone)
  const calls: [path: string, body: object][] = [
    ['begin', {}],
    ['confirm', { code: '1' }],
    ['end', { code: '1' }],
  ]
  for (const [path, body] of calls) expect((await browser.post(`${HOME}/${path}`, body)).status).toBe(403)
  const clerk = await buildUser(db, { role: 'sales' })
  await browser.signIn(clerk.phone)
  shop.passMinutes(11)
  for (const [path, body] of calls) {
    const answer = await browser.post(`${HOME}/${path}`, body)
    expect([answer.status, answer.body.redirect]).toEqual([403, `/account/confirm?next=${encodeURIComponent(HOME)}`])
  }
})

describe('a password that another person set', () => {
  it('opens nothing but the choice of an own one', async () => {
    const user = await buildUser(db, { role: 'sales', password_once: true })
    const browser = await halfIn(user.phone)
    for (const password of ['', 'short', 'password1']) expect((await browser.post('/code', { password })).status).toBe(422)
    expect((await browser.post('/code', { password: 'two white goats' })).body).toMatchObject({ user: { id: user.id }, redirect: '/admin' })
    expect((await shop.visitor().signIn(user.phone, TEST_PASSWORD)).status).toBe(422)
    expect((await shop.visitor().signIn(user.phone, 'two white goats')).body).toMatchObject({ user: { id: user.id } })
  })
  it('comes after the second factor', async () => {
    const { user, secret } = await withFactor()
    await sql`update users set password_once = true where id = ${user.id}`.execute(db)
    const browser = await halfIn(user.phone)
    expect((await browser.post('/code', { code: '', password: 'two white goats' })).status).toBe(422)
    expect((await browser.post('/code', { code: codeOf(secret) })).body).toEqual({ redirect: '/code' })
    expect(await isIn(browser)).toBe(false)
    expect((await browser.post('/code', { password: 'two white goats' })).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
  })
})
