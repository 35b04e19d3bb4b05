import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeSentTo, wrongCode } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

// Hashing a password takes a core for a while, so it comes after everything that may refuse a request, and only so many may wait for it.

/** How often a password was hashed or compared, and what must happen before that goes on. */
const argon = vi.hoisted(() => ({ hashes: 0, checks: 0, gate: null as Promise<void> | null }))
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return {
    ...real,
    async hash(...given: Parameters<typeof real.hash>) {
      // Test users have cheap hashes, which do not count.
      if (given[1]?.memoryCost !== 8) argon.hashes += 1
      await argon.gate
      return real.hash(...given)
    },
    async verify(...given: Parameters<typeof real.verify>) {
      argon.checks += 1
      await argon.gate
      return real.verify(...given)
    },
  }
})

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const customer = await buildUser(db, { phone_verified_at: new Date(), email: 'one@customer.example', email_at: new Date() })
beforeEach(async () => {
  await sql`truncate attempt_counts`.execute(db)
  Object.assign(argon, { hashes: 0, checks: 0, gate: null })
})
afterAll(() => expect(shop.failures).toEqual([]))

const form = (phone: string) => ({ name: 'Karim', phone, email: '', password: 'three brown cows' })
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status)
const tally = (answers: Answer[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, list]) => [status, list?.length]))
const times = (count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))

describe('rejected requests are not hashed', () => {
  it('two hundred registrations of one phone: three are sent a code, and hashed', async () => {
    expect(tally(await times(200, () => shop.post('/register', form('01712000001'))))).toEqual({ 200: 3, 429: 197 })
    expect(argon.hashes).toBe(3)
  })
  it('a registration with a fault', async () => {
    for (const wrong of [{ name: '' }, { phone: '12' }, { email: 'x' }, { password: 'short' }])
      expect((await shop.post('/register', { ...form('01712000002'), ...wrong })).status).toBe(422)
    expect(argon.hashes).toBe(0)
  })
  it('a new password with a wrong code, without one, or after too many', async () => {
    const browser = shop.visitor()
    await browser.post('/forgot-password', { phone: customer.phone })
    const code = await codeSentTo(db, customer.phone)
    const wrong = await times(20, () => browser.post('/code', { code: wrongCode(code), password: 'two white goats' }))
    expect(statuses(wrong)).not.toContain(200)
    expect((await shop.post('/code', { code, password: 'two white goats' })).status).toBe(410)
    expect(argon.hashes).toBe(0)
  })
  it('one of several concurrent valid codes sets the password', async () => {
    const { phone } = await buildUser(db, { phone_verified_at: new Date() })
    const browser = shop.visitor()
    await browser.post('/forgot-password', { phone })
    const code = await codeSentTo(db, phone)
    const answers = await times(20, (index) => browser.post('/code', { code, password: `two white goats ${index}` }))
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1)
    // Five tries of a request.
    expect(argon.hashes).toBeLessThanOrEqual(5)
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await shop.visitor().signIn(phone, `two white goats ${winner}`)).status).toBe(200)
  })
  it('a sign-in beyond the limit of its account', async () => {
    await times(50, () => shop.post('/login', { identifier: customer.phone, password: 'wrong' }))
    expect(argon.checks).toBe(10)
  })
  it('a confirmation beyond its limit, and more than ten new passwords an hour', async () => {
    const { phone } = await buildUser(db)
    const browser = shop.visitor()
    await browser.signIn(phone)
    argon.checks = 0
    expect(tally(await times(30, () => browser.post('/account/confirm', { password: 'wrong' })))).toEqual({ 422: 10, 429: 20 })
    expect(argon.checks).toBe(10)
    const changed = []
    for (let index = 0; index < 13; index++) {
      changed.push(await browser.post('/account/security/password', { password: `two white goats ${index}` }))
      browser.clearToken()
    }
    expect(tally(changed)).toEqual({ 200: 10, 429: 3 })
    expect(argon.hashes).toBe(10)
    expect((await shop.visitor().signIn(phone, 'two white goats 9')).status).toBe(200)
  })
  it('a first password after the tries of its request', async () => {
    const { phone } = await buildUser(db, { role: 'sales', password_once: true })
    const browser = shop.visitor()
    await browser.signIn(phone)
    shop.passMinutes(40)
    expect((await browser.post('/code', { password: 'two white goats' })).status).toBe(410)
    expect(argon.hashes).toBe(0)
  })
})

it('a sign-in by email compares the same number of passwords for no, one or two accounts', async () => {
  const checks = async (identifier: string) => {
    argon.checks = 0
    expect((await shop.post('/login', { identifier, password: 'wrong' })).status).toBe(422)
    return argon.checks
  }
  await buildUser(db, { email: 'two@customer.example', email_at: new Date() })
  await buildUser(db, { email: 'two@customer.example', email_at: new Date() })
  const { phone } = await buildUser(db)
  expect([await checks('none@customer.example'), await checks('one@customer.example'), await checks('two@customer.example')]).toEqual([
    3, 3, 3,
  ])
  expect([await checks(phone), await checks('01712999999')]).toEqual([1, 1])
})

describe('when more wait than may', () => {
  /** Holds all hashing back until the answer is called. */
  function closeGate() {
    let open!: () => void
    argon.gate = new Promise((resolve) => (open = resolve))
    return open
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  /** Many concurrent requests without sockets. Returns the number of responses. */
  async function flood(path: string, bodies: object[]) {
    const headers = { 'x-csrf-token': await shop.token(), accept: 'application/json' }
    const flooding = { answered: 0, all: Promise.resolve<number[]>([]) }
    const one = async (payload: object) => {
      const { statusCode } = await shop.app.inject({ method: 'POST', url: path, payload, headers })
      flooding.answered += 1
      return statusCode
    }
    flooding.all = Promise.all(bodies.map(one))
    return flooding
  }
  const counted = (statusCodes: number[]) =>
    Object.fromEntries([200, 503].map((code) => [code, statusCodes.filter((one) => one === code).length]))

  it('registrations are rejected first, with a text and Retry-After, while users still sign in', async () => {
    const open = closeGate()
    const registering = await flood(
      '/register',
      Array.from({ length: 80 }, (_, index) => form(`016120${String(10_000 + index)}`)),
    )
    // Four are hashed, 32 wait.
    await until(() => registering.answered === 80 - 36)
    const refused = await shop.post('/register', form('01622099999'))
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(refused.body).toEqual({
      message: refused.body.error,
      error: 'Many people are logging in right now. Please try again in a few seconds.',
    })
    const byForm = await shop.postForm('/register', form('01622099999'))
    expect([byForm.status, byForm.headers['retry-after']]).toEqual([503, '5'])
    expect(pageProps(byForm.text)).toMatchObject({
      values: { name: 'Karim', phone: '01622099999' },
      problem: expect.stringMatching(/in a few seconds/),
    })
    expect(byForm.text).not.toContain('three brown cows')
    const signingIn = shop.post('/login', { identifier: customer.phone, password: TEST_PASSWORD })
    open()
    expect((await signingIn).status).toBe(200)
    expect(counted(await registering.all)).toEqual({ 200: 36, 503: 44 })
    // A rejected request counted no attempt, so it succeeds now.
    const { rows } = await sql<{ count: number }>`select count from attempt_counts where key = 'codes-in-all 86400'`.execute(db)
    expect(rows).toEqual([{ count: 36 }])
    argon.gate = null
    expect((await shop.post('/register', form('01622099999'))).status).toBe(200)
  })

  it('sign-ins beyond a hundred are rejected too', async () => {
    const people = await Promise.all(Array.from({ length: 140 }, () => buildUser(db)))
    const open = closeGate()
    const signingIn = await flood(
      '/login',
      people.map(({ phone }) => ({ identifier: phone, password: TEST_PASSWORD })),
    )
    await until(() => signingIn.answered === 40)
    open()
    expect(counted(await signingIn.all)).toEqual({ 200: 100, 503: 40 })
    argon.gate = null
    expect((await shop.post('/login', { identifier: customer.phone, password: TEST_PASSWORD })).status).toBe(200)
  })
})
