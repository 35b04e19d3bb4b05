import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { renewPassword } from '#features/auth/staff/commands.server.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { codeSentTo } from '#test/codes.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

// What an owner changes about an account while the account's request is being served: passwords take time to hash.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const HTML = { accept: 'text/html' }
const isInside = async (visitor: { get(path: string, headers: Record<string, string>): Promise<Answer> }) =>
  (await visitor.get('/admin', HTML)).status !== 303

/** Sends a request that reads the account as it is, and commits the change while it is served. */
async function changeDuring<T>(change: (tx: Db) => Promise<unknown>, request: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined
  await inTransaction(db, async (tx) => {
    await change(tx)
    answer = request()
    await untilLockWait(db)
  })
  return answer!
}

/** What `renewPassword` writes. */
const renew = (id: number) => async (tx: Db) => {
  await sql`update users set password_hash = 'new', password_once = true where id = ${id}`.execute(tx)
  await sql`delete from sessions where user_id = ${id}`.execute(tx)
}

it('a sign-in with the old password ends with the new one', async () => {
  const { id, phone } = await buildUser(db, { role: 'sales' })
  const visitor = shop.visitor()
  expect((await changeDuring(renew(id), () => visitor.signIn(phone))).status).toBe(422)
  expect(await isInside(visitor)).toBe(false)
})

it('a sign-in to an account that is closed leaves no session for the day it is opened', async () => {
  const { id, phone } = await buildUser(db, { role: 'sales' })
  const visitor = shop.visitor()
  const close = (tx: Db) => sql`update users set disabled_at = now() where id = ${id}`.execute(tx)
  expect((await changeDuring(close, () => visitor.signIn(phone))).status).toBe(422)
  await sql`update users set disabled_at = null where id = ${id}`.execute(db)
  expect(await isInside(visitor)).toBe(false)
})

it('a customer who signs in while becoming staff is not in the admin', async () => {
  const { id, phone } = await buildUser(db)
  const visitor = shop.visitor()
  const promote = (tx: Db) => sql`update users set role = 'manager' where id = ${id}`.execute(tx)
  await changeDuring(promote, () => visitor.signIn(phone))
  expect(await isInside(visitor)).toBe(false)
})

it('a password changed in a session that ends does not replace the one-time password', async () => {
  const { id, phone } = await buildUser(db, { role: 'sales' })
  const visitor = shop.visitor()
  await visitor.signIn(phone)
  const changed = await changeDuring(renew(id), () => visitor.post('/account/security/password', { password: 'a quiet green field' }))
  expect(changed.status).toBe(401)
  const { rows } = await sql`select password_hash, password_once from users where id = ${id}`.execute(db)
  expect(rows).toEqual([{ password_hash: 'new', password_once: true }])
  expect(await isInside(visitor)).toBe(false)
})

it('a PIN does not switch to a cashier whose password or role has changed', async () => {
  for (const change of [renew, (id: number) => (tx: Db) => sql`update users set role = 'manager' where id = ${id}`.execute(tx)]) {
    const device = shop.visitor()
    const [target, other] = [await buildUser(db, { role: 'cashier' }), await buildUser(db, { role: 'cashier' })]
    for (const { phone } of [target, other]) {
      await device.signIn(phone)
      await device.token()
      await device.post('/account/lock', {})
      await device.post('/unlock', { password: TEST_PASSWORD, new_pin: '7391' })
    }
    const switchTo = () => device.post('/account/switch', { user_id: target.id, pin: '7391' })
    expect((await changeDuring(change(target.id), switchTo)).status).toBe(422)
    const { rows } = await sql`select 1 from sessions where user_id = ${target.id}`.execute(db)
    expect(rows).toEqual([])
  }
})

it('an approval code that is set in a session that ends is not stored: it would go on approving sales', async () => {
  const [boss, { id, phone }] = [await buildUser(db, { role: 'owner' }), await buildUser(db, { role: 'manager' })]
  const visitor = shop.visitor()
  await visitor.signIn(phone)
  const replace = (tx: Db) => renewPassword(tx, { kind: 'staff', id: boss.id, ip: '127.0.0.1' }, id)
  const answer = await changeDuring(replace, () => visitor.post('/admin/quick-orders/code', { code: '403917' }))
  const { rows } = await sql`select 1 from pos_approval_codes where user_id = ${id}`.execute(db)
  expect([answer.status, rows]).toEqual([401, []])
})

it('a session that ends gives the account no other phone', async () => {
  const { id, phone } = await buildUser(db, { phone_verified_at: new Date() })
  const [visitor, wanted] = [shop.visitor(), '01712000091']
  await visitor.signIn(phone)
  expect((await visitor.post('/account/security/phone', { phone: wanted })).status).toBe(200)
  const code = await codeSentTo(db, wanted)
  // What a new password by SMS writes.
  const end = async (tx: Db) => {
    await sql`select 1 from users where id = ${id} for update`.execute(tx)
    await closeSessions(tx, id)
  }
  expect((await changeDuring(end, () => visitor.post('/code', { code }))).status).toBe(410)
  const { rows } = await sql`select phone from users where id = ${id}`.execute(db)
  expect(rows).toEqual([{ phone }])
})

it('an address that waits while the account is erased is not stored', async () => {
  const { id, phone } = await buildUser(db)
  const [visitor, area] = [shop.visitor(), await buildArea(db)]
  await visitor.signIn(phone)
  const address = { name: 'Rahima', phone: '', alternate_phone: '', address: 'House 1', note: '', area_id: area.id }
  const add = () => visitor.post(`/address/add/${id}`, address)
  expect((await changeDuring((tx) => erasePerson(tx, { ids: [id], phones: [phone] }, new Date()), add)).status).toBe(401)
  expect((await sql`select 1 from addresses where customer_id = ${id}`.execute(db)).rows).toEqual([])
})

it('a name that waits while the account is erased is not stored', async () => {
  const { id, phone } = await buildUser(db)
  const visitor = shop.visitor()
  await visitor.signIn(phone)
  const rename = () => visitor.post('/account/security/name', { name: 'Rahima' })
  await changeDuring((tx) => erasePerson(tx, { ids: [id], phones: [phone] }, new Date()), rename)
  expect((await sql`select name from users where id = ${id}`.execute(db)).rows).toEqual([{ name: 'Erased' }])
})
