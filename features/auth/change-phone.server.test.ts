import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { changePhone } from './users.server.ts'

// An account gets a number that a guest has ordered with.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const sales = await signedIn(shop, 'sales')
const area = await buildArea(db)
const rice = await buildProduct(db)
afterAll(() => expect(shop.failures).toEqual([]))

async function guestWithOrder(phone: string) {
  const stored = await sales.post('/admin/orders/store', storeBody(area.id, [[rice.id, 1]], { phone }))
  expect(stored.status, stored.text).toBe(200)
  const { rows } = await sql<{ id: number; order: number }>`
    select customer_id as id, id as order from orders where phone = ${phone} order by id desc limit 1`.execute(db)
  return rows[0]!
}
const ownerOf = async (order: number) =>
  (await sql<{ id: number }>`select customer_id as id from orders where id = ${order}`.execute(db)).rows[0]!.id
const phoneOf = async (id: number) => (await sql<{ phone: string }>`select phone from users where id = ${id}`.execute(db)).rows[0]?.phone
const move = (account: number, phone: string) => inTransaction(db, (tx) => changePhone(tx, account, phone, 0, new Date()))

it('the orders of the guest join the account', async () => {
  const [account, guest] = [await buildUser(db), await guestWithOrder('01712000001')]
  expect(await move(account.id, '01712000001')).toBe(true)
  expect([await ownerOf(guest.order), await phoneOf(account.id), await phoneOf(guest.id)]).toEqual([account.id, '01712000001', undefined])
})

it('what the audit log says of the guest is found under the account', async () => {
  const [account, phone] = [await buildUser(db), '01712000005']
  const created = await sales.post('/admin/customers/store', { name: 'Peculiar guest', phone, email: '', note: 'Peculiar calls' })
  expect(created.status, created.text).toBe(200)
  expect(await move(account.id, phone)).toBe(true)
  expect(await erasePerson(db, (await findPerson(db, phone))!, new Date())).toEqual({ ok: true, orders: 0 })
  const { rows } = await sql`select before, after from audit_log a where a::text ~ ${`Peculiar|${phone}`}`.execute(db)
  expect(rows).toEqual([])
})

it('a guest whose number the staff correct at that moment stays with its orders', async () => {
  const [account, guest] = [await buildUser(db), await guestWithOrder('01712000002')]
  const moving = await db.transaction().execute(async (tx) => {
    await sql`update users set phone = '01712000003' where id = ${guest.id}`.execute(tx)
    const answer = move(account.id, '01712000002')
    await untilLockWait(db)
    return { answer }
  })
  expect(await moving.answer).toBe(true)
  expect([await ownerOf(guest.order), await phoneOf(guest.id)]).toEqual([guest.id, '01712000003'])
  expect(await phoneOf(account.id)).toBe('01712000002')
})

it('a guest who verifies the number at that moment has it', async () => {
  const [account, guest] = [await buildUser(db), await guestWithOrder('01712000004')]
  const moving = await db.transaction().execute(async (tx) => {
    await sql`update users set phone_verified_at = now() where id = ${guest.id}`.execute(tx)
    const answer = move(account.id, '01712000004')
    await untilLockWait(db)
    return { answer }
  })
  expect(await moving.answer).toBe(false)
  expect([await ownerOf(guest.order), await phoneOf(account.id)]).toEqual([guest.id, account.phone])
})
