import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// The customer of an order whose phone was mistyped.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const sales = await signedIn(shop, 'sales')
afterAll(() => expect(shop.failures).toEqual([]))

let serial = 0
const newPhone = () => `0188${String((serial += 1)).padStart(7, '0')}`

async function order(phone: string, by: Visitor = shop.visitor()): Promise<number> {
  const body = orderBody(area.id, [[mango.id, 2]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const answer = await by.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
const correct = async (id: number, phone: string) =>
  expect((await sales.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', phone })).status).toBe(200)
async function customerOf(id: number): Promise<{ id: number; phone: string; name: string }> {
  const { rows } = await sql<{ id: number; phone: string; name: string }>`
    select u.id, u.phone, u.name from orders o join users u on u.id = o.customer_id where o.id = ${id}`.execute(db)
  return rows[0]!
}

it('the holder of a wrong number no longer sees the order of a guest; the holder of the right one does', async () => {
  const [wrong, right] = [await buildUser(db, { phone_verified_at: new Date() }), await buildUser(db, { phone_verified_at: new Date() })]
  const [stranger, customer] = [shop.visitor(), shop.visitor()]
  await stranger.signIn(wrong.phone)
  await customer.signIn(right.phone)
  const id = await order(wrong.phone)
  const open = async (by: Visitor) => (await by.get(`/invoice/${id}`, { accept: 'text/html' })).status
  expect([await open(stranger), await open(customer)]).toEqual([200, 404])
  await correct(id, right.phone)
  expect([await open(stranger), await open(customer)]).toEqual([404, 200])
  const { rows } = await sql<{ before: object; after: object }>`select before, after from audit_log
    where subject = 'order' and subject_id = ${String(id)}`.execute(db)
  expect(rows).toMatchObject([{ before: { customer: wrong.id, phone: wrong.phone }, after: { customer: right.id, phone: right.phone } }])
})

it('a number without a customer becomes a new one, with the use of the coupon', async () => {
  const coupon = await buildCoupon(db)
  const [wrong, right] = [newPhone(), newPhone()]
  const stored = await sales.post('/admin/orders/store', storeBody(area.id, [[mango.id, 2]], { phone: wrong, coupon: coupon.code }))
  expect(stored.status, stored.text).toBe(200)
  const id = stored.body.order_id!
  const before = await customerOf(id)
  await correct(id, right)
  const after = await customerOf(id)
  expect(after).toMatchObject({ phone: right, name: 'Rahima Khatun' })
  expect(after.id).not.toBe(before.id)
  const uses = await db.selectFrom('coupon_uses').select('customer_id').where('order_id', '=', id).execute()
  expect(uses).toEqual([{ customer_id: after.id }])
})

it('a merged number leads to the customer of the merge', async () => {
  const target = await buildUser(db)
  const merged = await buildUser(db)
  await sql`update users set merged_into = ${target.id}, disabled_at = now() where id = ${merged.id}`.execute(db)
  const id = await order(newPhone())
  await correct(id, merged.phone)
  expect(await customerOf(id)).toMatchObject({ id: target.id })
})

it('an order stays with the customer who was signed in', async () => {
  const account = await buildUser(db, { phone_verified_at: new Date() })
  const by = shop.visitor()
  await by.signIn(account.phone)
  const [own, forMother] = [await order(account.phone, by), await order(newPhone(), by)]
  for (const id of [own, forMother]) {
    await correct(id, newPhone())
    expect(await customerOf(id)).toMatchObject({ id: account.id })
  }
})

it('an order stays in the account that owes it', async () => {
  const id = await order(newPhone())
  const { id: customer } = await customerOf(id)
  await sql`insert into account_sales (order_id, amount_poisha) values (${id}, 1000)`.execute(db)
  await correct(id, newPhone())
  expect(await customerOf(id)).toMatchObject({ id: customer })
})

it('SMS that wait go to the corrected phone with the new key; what was sent stays with the old one', async () => {
  const [wrong, right] = [newPhone(), newPhone()]
  const id = await order(wrong)
  const text = async () => {
    const { view_key } = await db.selectFrom('orders').select('view_key').where('id', '=', id).executeTakeFirstOrThrow()
    return `Paid. https://khamar.example/invoice/${id}?key=${view_key} or call`
  }
  await sql`update sms_outbox set state = 'submitted' where order_id = ${id}`.execute(db)
  await queueSms(db, { purpose: 'order', orderId: id, event: 'payment-received-1', phone: wrong, text: await text() })
  await correct(id, right)
  const { rows } = await sql`select state, phone, body from sms_outbox where order_id = ${id} order by id`.execute(db)
  expect(rows).toMatchObject([
    { state: 'submitted', phone: wrong },
    { state: 'queued', phone: right, body: await text() },
  ])
})
