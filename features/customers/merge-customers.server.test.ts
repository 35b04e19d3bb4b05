import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { mergeCustomers } from './merge-customers.server.ts'
import { erasePerson } from './personal-data/erase-person.server.ts'
import { findPerson } from './personal-data/read-personal-data.server.ts'

// Two customers are one person: what the target takes over, and what else may happen at that moment.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
const sales = await signedIn(shop, 'sales')
afterAll(() => expect(shop.failures).toEqual([]))

const merge = (target: number, other: number, orders = 0) => manager.post(`/admin/customers/${target}/merge`, { other, orders })
const userOf = async (id: number) =>
  (await sql<{ name: string; phone: string }>`select name, phone from users where id = ${id}`.execute(db)).rows[0]!
const details = (id: number, previous: { name: string; phone: string }, phone: string, who = manager) =>
  who.post(`/admin/customers/${id}/details`, { ...previous, email: '', phone, previous: { ...previous, email: '' } })

it('the target has the name of the other one where it has none', async () => {
  const [a, b, c] = [
    await buildUser(db, { name: 'Walk-in customer' }),
    await buildUser(db, { name: 'Karim' }),
    await buildUser(db, { name: 'Karim Sheikh' }),
  ]
  expect((await merge(a.id, b.id)).status).toBe(200)
  expect(await userOf(a.id)).toMatchObject({ name: 'Karim' })
  expect((await merge(a.id, c.id)).status).toBe(200)
  expect(await userOf(a.id)).toMatchObject({ name: 'Karim' })
})

it('a link to the orders of a merged customer leads to those of the target', async () => {
  const [a, b] = [await buildUser(db, { name: 'Rahim' }), await buildUser(db, { name: 'Karim' })]
  const area = await buildArea(db)
  const stored = await manager.post('/admin/orders/store', storeBody(area.id, [[(await buildProduct(db)).id, 1]], { phone: b.phone }))
  expect(stored.status, stored.text).toBe(200)
  expect((await merge(a.id, b.id, 1)).status).toBe(200)
  const { text } = await manager.get(`/admin/orders?user_id=${b.id}`, { accept: 'text/html' })
  const { list, customer } = pageProps<{ list: { rows: { id: number }[] }; customer: string }>(text)
  expect([list.rows.map(({ id }) => id), customer]).toEqual([[stored.body.order_id], 'Rahim'])
})

it('an order of a merged customer that waits while the target is merged itself goes to the newest target', async () => {
  const [a, b, c] = [await buildUser(db), await buildUser(db), await buildUser(db)]
  const body = storeBody((await buildArea(db)).id, [[(await buildProduct(db)).id, 1]], { phone: b.phone })
  expect((await merge(a.id, b.id)).status).toBe(200)
  const actor = { kind: 'staff' as const, id: manager.id, ip: '', can: () => true }
  const placing = await db.transaction().execute(async (tx) => {
    const deps = { db: tx, now: () => new Date(), shopCache: { settings: async () => ({ sms_english: true }) } }
    expect(await mergeCustomers(deps, actor, { targetId: c.id, otherId: a.id, previewedOrders: 0 })).toEqual({ ok: true })
    const answer = manager.post('/admin/orders/store', body)
    await untilLockWait(db)
    return { answer }
  })
  const stored = await placing.answer
  expect(stored.status, stored.text).toBe(200)
  const { rows } = await sql`select customer_id from orders where id = ${stored.body.order_id!}`.execute(db)
  expect(rows).toEqual([{ customer_id: c.id }])
})

it('the phone of a merged customer becomes that of the target, in exchange', async () => {
  const [a, b] = [await buildUser(db, { name: 'Rahim', email: null }), await buildUser(db, { email: null })]
  await merge(a.id, b.id)
  expect(await details(a.id, { name: 'Rahim', phone: a.phone }, b.phone)).toMatchObject({ status: 200 })
  expect([(await userOf(a.id)).phone, (await userOf(b.id)).phone]).toEqual([b.phone, a.phone])
})

it('the phone of a customer that was merged into another one is refused in the name of that one', async () => {
  const [a, b, c] = [
    await buildUser(db, { name: 'Rahim', email: null }),
    await buildUser(db, { name: 'Target', email: null }),
    await buildUser(db, { email: null }),
  ]
  await merge(b.id, c.id)
  const refused = await details(a.id, { name: 'Rahim', phone: a.phone }, c.phone)
  expect([refused.status, refused.body.errors]).toEqual([422, { phone: [expect.stringContaining(`Target (no. ${b.id})`)] }])
})

it('of a person who was merged while an erasure waited, nothing is erased', async () => {
  const [a, b, c] = [await buildUser(db), await buildUser(db), await buildUser(db)]
  const person = (await findPerson(db, a.phone))!
  await merge(b.id, a.id)
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: false, reasons: ['changed'] })
  expect((await userOf(a.id)).phone).toBe(a.phone)
  const mergedPerson = (await findPerson(db, c.phone))!
  await merge(c.id, b.id)
  expect(await erasePerson(db, mergedPerson, new Date())).toEqual({ ok: false, reasons: ['changed'] })
})

it('an erased customer is not merged into another', async () => {
  const [a, b] = [await buildUser(db), await buildUser(db)]
  expect(await erasePerson(db, (await findPerson(db, a.phone))!, new Date())).toEqual({ ok: true, orders: 0 })
  expect((await merge(b.id, a.id)).status).toBe(404)
})

it('a guest into whom an account was merged is protected like the account', async () => {
  const guest = await buildUser(db, { name: 'Rahim', email: null, password: null })
  const account = await buildUser(db, { phone_verified_at: new Date() })
  await merge(guest.id, account.id)
  expect((await details(guest.id, { name: 'Rahim', phone: guest.phone }, '01999999991', sales)).status).toBe(403)
  const third = await buildUser(db, { password: null })
  expect((await sales.post(`/admin/customers/${third.id}/merge`, { other: guest.id, orders: 0 })).status).toBe(403)
  expect((await details(guest.id, { name: 'Rahim', phone: guest.phone }, '01999999991')).status).toBe(200)
})

it('so is one into whom an account is merged while the change of its phone waits', async () => {
  const guest = await buildUser(db, { name: 'Rahim', email: null, password: null })
  const changing = await db.transaction().execute(async (tx) => {
    await sql`select 1 from users where id = ${guest.id} for update`.execute(tx)
    const answer = details(guest.id, { name: 'Rahim', phone: guest.phone }, '01999999992', sales)
    await untilLockWait(db)
    await sql`insert into audit_log (action, subject, subject_id, before)
      values ('merged', 'customer', ${String(guest.id)}, '{"other": {"owns_account": true}}')`.execute(tx)
    return { answer }
  })
  expect((await changing.answer).status).toBe(403)
  expect((await userOf(guest.id)).phone).toBe(guest.phone)
})

it('a guest with a credit limit needs a manager: the POS gives the credit to the holder of the phone', async () => {
  const [guest, own] = [await buildUser(db, { name: 'Rahim', email: null, password: null }), await buildUser(db, { password: null })]
  await sql`update users set credit_limit_poisha = 500_00 where id = ${guest.id}`.execute(db)
  expect((await details(guest.id, { name: 'Rahim', phone: guest.phone }, '01999999992', sales)).status).toBe(403)
  expect((await sales.post(`/admin/customers/${own.id}/merge`, { other: guest.id, orders: 0 })).status).toBe(403)
  expect((await merge(own.id, guest.id)).status).toBe(200)
})
