import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { STAFF_ROLES, type StaffRole } from '#features/auth/permissions.ts'
import { BACKGROUND_HEADER } from '#lib/http/background-header.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Sessions of cashiers and weighers lock when idle; a PIN unlocks them. The lock is enforced by the server.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const html = { accept: 'text/html' }
const PIN = '7391'

async function staff(role: StaffRole | 'customer') {
  const user = await buildUser(db, { role })
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  await visitor.token()
  return Object.assign(visitor, { id: user.id, phone: user.phone })
}
type Staff = Awaited<ReturnType<typeof staff>>

/** A role's session with a PIN, locked by idling. */
async function locked(role: StaffRole = 'cashier'): Promise<Staff> {
  const visitor = await staff(role)
  shop.passMinutes(31)
  expect((await unlock(visitor, { password: TEST_PASSWORD, new_pin: PIN })).status).toBe(200)
  shop.passMinutes(31)
  return visitor
}
const unlock = (visitor: Visitor, body: object) => visitor.post('/unlock', body)
const call = async (visitor: Visitor) => (await visitor.get('/api/admin/find?q=1')).status
const sessions = async ({ id }: { id: number }) =>
  (await sql<{ pin_tries: number }>`select pin_tries from sessions where user_id = ${id}`.execute(db)).rows.map(
    ({ pin_tries }) => pin_tries,
  )

it.each([
  ['/login?next=/admin/orders', false],
  ['/login?way=password&next=/cart', true],
])('%s may see coupons and accounts: %s', async (path, speaks) => {
  const { text } = await shop.get(path, html)
  expect([/use coupons/.test(text), text.includes('/register')]).toEqual([speaks, speaks])
})

describe('an idle session', () => {
  it.each(STAFF_ROLES.map((role) => [role, role === 'cashier' || role === 'weigher' ? 423 : 401]))(
    'of the role %s answers %i after 31 minutes, also to the next calls',
    async (role, status) => {
      const visitor = await staff(role as StaffRole)
      shop.passMinutes(29)
      expect(await call(visitor)).toBe(200)
      shop.passMinutes(31)
      expect([await call(visitor), await call(visitor)]).toEqual([status, status])
    },
  )

  const POS_CALL = '/api/admin/quick-orders/catalog'
  const UNUSED = { [BACKGROUND_HEADER]: '1' }
  it.each([
    [POS_CALL, UNUSED],
    ['/api/admin/quick-orders/held', UNUSED],
    ['/api/admin/orders/bulk', {}],
    ['/api/admin/sms/campaigns/1', {}],
  ])('ends also while its page calls %s by itself', async (path, headers) => {
    const visitor = await staff('owner')
    for (let asked = 0; asked < 4; asked++) {
      shop.passMinutes(8)
      await visitor.get(path, headers)
    }
    expect(await call(visitor)).toBe(401)
  })

  it('of a device in use goes on: a call without the header counts', async () => {
    const visitor = await staff('owner')
    for (let asked = 0; asked < 4; asked++) {
      shop.passMinutes(8)
      await visitor.get(POS_CALL)
    }
    expect(await call(visitor)).toBe(200)
  })

  it('of a customer stays open', async () => {
    const customer = await staff('customer')
    shop.passMinutes(300)
    expect((await customer.get('/account', html)).status).toBe(200)
  })

  it('is rejected by every URL of the admin, for reading and writing, and is anonymous elsewhere', async () => {
    const visitor = await locked('weigher')
    for (const { method, url: path, isPage } of shop.app.adminGuardedRoutes) {
      if (method === 'HEAD') continue
      const address = path.replaceAll(/:\w+/g, '1')
      const answer = await (method === 'GET'
        ? visitor.get(address, isPage ? html : {})
        : visitor.post(address, {}, { token: await visitor.token() }))
      if (isPage) expect([answer.status, answer.headers.location], address).toEqual([303, expect.stringMatching(/^\/unlock\?next=/)])
      else if (method === 'GET' || method === 'POST') expect(answer.status, `${method} ${address}`).toBe(423)
    }
    for (const path of ['/account/security', '/account']) expect((await visitor.get(path, html)).status).toBe(303)
    expect((await visitor.post('/account/security/email', { email: 'thief@example.com' })).status).toBe(401)
    expect((await visitor.post('/account/security/devices/sign-out-others')).status).toBe(401)
  })

  it('ends after the hours of the settings, whatever it does', async () => {
    await sql`insert into settings (key, value) values ('device_session_hours', '2')`.execute(db)
    const [cashier, viewer] = [await staff('cashier'), await staff('viewer')]
    await sql`delete from settings where key = 'device_session_hours'`.execute(db)
    for (let quarter = 0; quarter < 7; quarter += 1) {
      shop.passMinutes(16)
      expect([await call(cashier), await call(viewer)]).toEqual([200, 200])
    }
    shop.passMinutes(9)
    expect([await call(cashier), await call(viewer)]).toEqual([401, 200])
    const next = await staff('cashier')
    for (let third = 0; third < 35; third += 1) {
      shop.passMinutes(20)
      expect(await call(next)).toBe(200)
    }
    shop.passMinutes(21)
    expect(await call(next)).toBe(401)
  })
})

describe('unlocking', () => {
  it('asks for the password and a new PIN at first, then for the PIN; it goes on where it was', async () => {
    const visitor = await staff('cashier')
    shop.passMinutes(31)
    expect((await unlock(visitor, { pin: PIN })).body.errors).toHaveProperty('new_pin')
    expect((await unlock(visitor, { password: 'wrong', new_pin: PIN })).body.errors).toHaveProperty('password')
    expect(await call(visitor)).toBe(423)
    expect((await unlock(visitor, { password: TEST_PASSWORD, new_pin: '১২৫৮' })).status).toBe(200)
    expect(await call(visitor)).toBe(200)
    shop.passMinutes(31)
    expect((await visitor.get('/unlock?next=/admin/quick-orders', html)).text).toContain('name="pin"')
    expect((await unlock(visitor, { pin: '1258', next: '/admin/quick-orders' })).body).toMatchObject({ redirect: '/admin/quick-orders' })
    expect(await call(visitor)).toBe(200)
    const { rows } = await sql<{ pin_hash: string }>`select pin_hash from staff_pins where user_id = ${visitor.id}`.execute(db)
    expect(rows[0]!.pin_hash).toMatch(/^\$argon2id\$/)
  })

  it('works as a form without script; the token of the page stays valid', async () => {
    const visitor = await locked()
    const wrong = await visitor.postForm('/unlock', { pin: '0001', next: '/admin' })
    expect([wrong.status, wrong.text.includes('Wrong PIN')]).toEqual([422, true])
    const right = await visitor.postForm('/unlock', { pin: PIN, next: '/admin/weigh-ins' })
    expect([right.status, right.headers.location]).toEqual([303, '/admin/weigh-ins'])
  })

  it.each([
    [{}, 'pin'],
    [{ pin: '' }, 'pin'],
    [{ pin: 'x'.repeat(41) }, 'pin'],
    [{ pin: 7391 }, 'pin'],
    [{ pin: null }, 'pin'],
    [{ pin: ['7391'] }, 'pin'],
    [{ new_pin: '7391' }, 'password'],
    [{ password: TEST_PASSWORD }, 'new_pin'],
    [{ password: TEST_PASSWORD, new_pin: '1234' }, 'new_pin'],
    [{ password: TEST_PASSWORD, new_pin: '123' }, 'new_pin'],
    [{ password: TEST_PASSWORD, new_pin: '12345678' }, 'new_pin'],
    [{ password: 'x'.repeat(513), new_pin: '7391' }, 'password'],
  ])('with %j is rejected at %s and costs no attempt', async (body, field) => {
    const visitor = await locked()
    const answer = await unlock(visitor, body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(await sessions(visitor)).toEqual([0])
    expect(await call(visitor)).toBe(423)
  })

  it('a fifth wrong PIN ends the session; the right one before clears the count', async () => {
    const visitor = await locked()
    for (let tries = 1; tries <= 4; tries += 1) expect((await unlock(visitor, { pin: '0009' })).status).toBe(422)
    expect((await unlock(visitor, { pin: PIN })).status).toBe(200)
    expect(await sessions(visitor)).toEqual([0])
    shop.passMinutes(31)
    const answers = []
    for (let tries = 1; tries <= 6; tries += 1) answers.push((await unlock(visitor, { pin: '0009' })).status)
    expect(answers.slice(0, 5)).toEqual([422, 422, 422, 422, 401])
    expect(answers[5]).not.toBe(200)
    expect(await sessions(visitor)).toEqual([])
    expect((await unlock(visitor, { pin: PIN })).status).not.toBe(200)
  })

  it('thirty wrong PINs a day, with right ones between them, leave the password alone', async () => {
    const visitor = await locked()
    for (let tries = 1; tries <= 30; tries += 1) {
      expect([tries, (await unlock(visitor, { pin: '0009' })).status]).toEqual([tries, 422])
      if (tries % 4 > 0) continue
      expect((await unlock(visitor, { pin: PIN })).status).toBe(200)
      await visitor.post('/account/lock')
    }
    const refused = await unlock(visitor, { pin: PIN })
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect(await call(visitor)).toBe(423)
    expect((await unlock(visitor, { password: TEST_PASSWORD, new_pin: '8402' })).status).toBe(200)
  })

  it('twenty concurrent wrong PINs get at most five attempts', async () => {
    const visitor = await locked()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => unlock(visitor, { pin: String(5000 + at) })))
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(5)
    expect(answers.some(({ status }) => status === 200)).toBe(false)
    expect(await sessions(visitor)).toEqual([])
  })

  it('without the token of the page does nothing; a stranger and an open session unlock nothing', async () => {
    const visitor = await locked()
    expect((await visitor.post('/unlock', { pin: PIN }, { token: null })).status).toBe(403)
    expect(await call(visitor)).toBe(423)
    expect((await unlock(shop.visitor(), { pin: PIN })).status).toBe(401)
    expect((await shop.get('/unlock', html)).headers.location).toMatch(/^\/login/)
    const open = await staff('weigher')
    expect((await open.get('/unlock?next=/admin/weigh-ins', html)).headers.location).toBe('/admin/weigh-ins')
    expect((await open.get('/unlock?next=//evil.example', html)).headers.location).toBe('/admin')
  })

  it('by a PIN is over once the password changes: it is set again', async () => {
    const visitor = await locked()
    await unlock(visitor, { pin: PIN })
    await visitor.post('/account/confirm', { password: TEST_PASSWORD, next: '/account/security' })
    const password = 'Tall mango trees of Rajshahi 7'
    expect((await visitor.post('/account/security/password', { password })).status).toBe(200)
    visitor.clearToken()
    shop.passMinutes(31)
    expect((await unlock(visitor, { pin: PIN })).body.errors).toHaveProperty('new_pin')
    expect((await unlock(visitor, { password, new_pin: '8264' })).status).toBe(200)
  })

  it('of a disabled person is over', async () => {
    const visitor = await locked()
    await sql`update users set disabled_at = now() where id = ${visitor.id}`.execute(db)
    expect((await unlock(visitor, { pin: PIN })).status).not.toBe(200)
  })
})

describe('locking by hand', () => {
  it('locks the session immediately, and no other of the user', async () => {
    const visitor = await locked()
    await unlock(visitor, { pin: PIN })
    const other = shop.visitor()
    await other.signIn(visitor.phone)
    expect((await visitor.post('/account/lock')).status).toBe(200)
    expect([await call(visitor), await call(other)]).toEqual([423, 200])
    expect((await visitor.post('/account/lock')).status).toBe(200)
    expect((await unlock(visitor, { pin: PIN })).status).toBe(200)
    expect(await call(visitor)).toBe(200)
  })

  it.each(['manager', 'owner'] as const)('locks the session of a %s by hand; idling ends it instead', async (role) => {
    const visitor = await staff(role)
    expect((await visitor.post('/account/lock')).status).toBe(200)
    expect(await call(visitor)).toBe(423)
    expect((await unlock(visitor, { pin: '2580' })).status).toBe(422)
    expect((await unlock(visitor, { password: TEST_PASSWORD, new_pin: '2580' })).status).toBe(200)
    expect(await call(visitor)).toBe(200)
    await visitor.post('/account/lock')
    shop.passMinutes(31)
    expect(await call(visitor)).toBe(401)
  })

  it('is for roles that lock', async () => {
    expect((await (await staff('sales')).post('/account/lock')).status).toBe(403)
    expect((await (await staff('customer')).post('/account/lock')).status).toBe(403)
    expect((await shop.visitor().post('/account/lock')).status).toBe(401)
    expect((await (await staff('cashier')).post('/account/lock', undefined, { token: null })).status).toBe(403)
  })

  it('and logging out of a locked session ends it', async () => {
    const visitor = await locked()
    expect((await visitor.signOut()).status).toBe(200)
    expect(await sessions(visitor)).toEqual([])
  })
})
