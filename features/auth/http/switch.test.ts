import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { StaffRole } from '#features/auth/permissions.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// A cashier takes over the session of a device by PIN.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const PIN = '7391'
const [NAME, SECOND] = ['Shirin', 'Mizan']
const hours = (count: number) => void (shop.clock.now = new Date(shop.clock.now.getTime() + count * 3_600_000))

/** Signs a user in on this device by password, and sets the PIN. */
async function signInWithPin(device: Visitor, role: StaffRole = 'cashier', name = NAME) {
  const user = await buildUser(db, { role, name })
  await device.signIn(user.phone)
  await device.token()
  if (role === 'cashier' || role === 'weigher') {
    expect((await device.post('/account/lock', {})).status).toBe(200)
    expect((await device.post('/unlock', { password: TEST_PASSWORD, new_pin: PIN })).status).toBe(200)
  }
  return user
}
/** A device that two cashiers have signed in on; the second one works on it. */
async function device() {
  const visitor = shop.visitor()
  const first = await signInWithPin(visitor)
  const second = await signInWithPin(visitor, 'cashier', SECOND)
  return { visitor, first, second }
}
const change = (visitor: Visitor, userId: unknown, pin: unknown = PIN) => visitor.post('/account/switch', { user_id: userId, pin })
const listed = async (visitor: Visitor) =>
  (JSON.parse((await visitor.get('/account/cashiers')).text) as { cashiers: { id: number }[] }).cashiers.map(({ id }) => id)
const sessionsOf = async (userId: number) =>
  (await sql<{ expires_at: Date; checked_at: Date }>`select expires_at, checked_at from sessions where user_id = ${userId}`.execute(db))
    .rows
const me = async (visitor: Visitor) => (await visitor.get('/api/admin/quick-orders/catalog')).status

it('lists the cashiers of the device and switches: a new session, the old one ends, the switch is in the audit log', async () => {
  const { visitor, first, second } = await device()
  expect(await listed(visitor)).toEqual([first.id])
  hours(5)
  await visitor.post('/unlock', { pin: PIN })
  const [before] = await sessionsOf(second.id)
  const cookie = visitor.cookies.get('sid')
  const { status, body } = await change(visitor, first.id)
  expect([status, body]).toEqual([200, { success: true, cashier: { id: first.id, name: NAME } }])
  expect(visitor.cookies.get('sid')).not.toBe(cookie)
  expect(await sessionsOf(second.id)).toEqual([])
  const sessions = await sessionsOf(first.id)
  expect(sessions).toHaveLength(1)
  // No longer than the session that a password opened, and no proof for changes of the account.
  expect(sessions[0]?.expires_at).toEqual(before?.expires_at)
  expect(sessions[0]?.checked_at).toEqual(new Date(0))
  await visitor.token()
  expect(await me(visitor)).toBe(200)
  expect(await listed(visitor)).toEqual([second.id])
  const { rows } =
    await sql`select actor_id, before, after from audit_log where action = 'switched' and subject_id = ${String(first.id)}`.execute(db)
  expect(rows).toEqual([{ actor_id: first.id, before: { name: SECOND }, after: { name: NAME } }])
})

it('takes the orders of the former cashier out of the browser, as another login does', async () => {
  const { visitor, first } = await device()
  const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const id = (await visitor.post('/customer-orders', orderBody(area.id, [[mango.id, 1]], cash))).body.order_id!
  expect((await change(visitor, first.id)).status).toBe(200)
  visitor.cookies.delete('sid')
  expect((await visitor.get(`/invoice/${id}`)).status).toBe(404)
})

it('switches a locked screen too', async () => {
  const { visitor, first } = await device()
  await visitor.post('/account/lock', {})
  expect(await me(visitor)).toBe(423)
  expect((await change(visitor, first.id)).status).toBe(200)
  await visitor.token()
  expect(await me(visitor)).toBe(200)
})

it('rejects a wrong PIN at its field, and at most five of a cashier in a quarter of an hour; the session goes on', async () => {
  const { visitor, first, second } = await device()
  for (let tries = 0; tries < 5; tries++) {
    const wrong = await change(visitor, first.id, '0007')
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['pin']])
  }
  expect((await change(visitor, first.id)).status).toBe(429)
  expect(await sessionsOf(second.id)).toHaveLength(1)
  expect(await me(visitor)).toBe(200)
})

it('ten wrong PINs at once count each', async () => {
  const { visitor, first } = await device()
  const answers = await Promise.all(Array.from({ length: 10 }, () => change(visitor, first.id, '0007')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(5).fill(422), ...Array(5).fill(429)])
})

it('of two switches at once one wins', async () => {
  const { visitor, first } = await device()
  const answers = await Promise.all([change(visitor, first.id), change(visitor, first.id)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect(await sessionsOf(first.id)).toHaveLength(1)
})

it.each(['owner', 'manager', 'sales', 'weigher'] as const)('never gives the role %s by PIN', async (role) => {
  const { visitor, first } = await device()
  const other = await signInWithPin(visitor, role)
  await sql`insert into staff_pins (user_id, pin_hash) select ${other.id}, pin_hash from staff_pins where user_id = ${first.id} on conflict do nothing`.execute(
    db,
  )
  await visitor.signIn(first.phone)
  await visitor.token()
  expect(await listed(visitor)).not.toContain(other.id)
  expect((await change(visitor, other.id)).status).toBe(422)
})

it('accepts a PIN only in a browser where the cashier signed in with the present password', async () => {
  const { first } = await device()
  const elsewhere = shop.visitor()
  await signInWithPin(elsewhere)
  expect(await listed(elsewhere)).toEqual([])
  expect((await change(elsewhere, first.id)).status).toBe(422)
  const { visitor, first: changed } = await device()
  await sql`update users set password_hash = 'another' where id = ${changed.id}`.execute(db)
  expect((await change(visitor, changed.id)).status).toBe(422)
})

it('rejects a disabled cashier, one with a second factor, oneself, and hostile input', async () => {
  const { visitor, first, second } = await device()
  expect((await change(visitor, second.id)).status).toBe(422)
  for (const userId of [0, -1, 1.5, 'x', null, 1e300, 999_999_999]) expect((await change(visitor, userId)).status).toBe(422)
  for (const pin of ['', 7391, null, '9'.repeat(41)]) expect((await change(visitor, first.id, pin)).status).toBe(422)
  await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${first.id}, '\\x00', now(), now())`.execute(db)
  expect((await change(visitor, first.id)).status).toBe(422)
  await sql`delete from second_factors where user_id = ${first.id}`.execute(db)
  await sql`update users set disabled_at = now() where id = ${first.id}`.execute(db)
  expect((await change(visitor, first.id)).status).toBe(422)
})

it('rejects strangers, customers, other roles and a missing token', async () => {
  const { visitor, first } = await device()
  const stranger = shop.visitor()
  await stranger.token()
  expect((await change(stranger, first.id)).status).toBe(401)
  expect((await stranger.get('/account/cashiers')).status).toBe(401)
  const weigher = shop.visitor()
  await signInWithPin(weigher, 'weigher')
  expect((await change(weigher, first.id)).status).toBe(403)
  expect((await visitor.post('/account/switch', { user_id: first.id, pin: PIN }, { token: 'x' })).status).toBe(403)
})

it('the device is not notified of the news of the former cashier, nor after five wrong PINs', async () => {
  const { visitor, first, second } = await device()
  const notify = (userId: number) =>
    sql`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, lang)
    select user_id, id, ${`https://push.example/${userId}`}, ${Buffer.alloc(65)}, ${Buffer.alloc(16)}, 'bn' from sessions where user_id = ${userId}`.execute(
      db,
    )
  const notified = async () =>
    (await sql<{ id: number }>`select user_id as id from push_subscriptions`.execute(db)).rows.map(({ id }) => id)
  await notify(second.id)
  expect(await notified()).toEqual([second.id])
  expect((await change(visitor, first.id)).status).toBe(200)
  expect(await notified()).toEqual([])
  await notify(first.id)
  visitor.clearToken()
  await visitor.post('/account/lock', {})
  for (let tries = 1; tries <= 5; tries++) expect((await visitor.post('/unlock', { pin: '1357' })).status).toBe(tries < 5 ? 422 : 401)
  expect(await notified()).toEqual([])
})
