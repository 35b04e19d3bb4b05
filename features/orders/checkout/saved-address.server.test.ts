import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAddress, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Orders to a saved address of the customer.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 60, cattle: 1500 })
const far = await buildArea(db, { produce: 200, cattle: 2500 })
// 120 taka per kg, with a product discount of 10 %.
const mango = await buildProduct(db, { discount_kind: 'percentage', discount_value: 1000 })
afterAll(() => expect(shop.failures).toEqual([]))
afterEach(() => expectInvariants(db))

async function someone(overrides: Record<string, unknown> = {}): Promise<Visitor & { user: { id: number; phone: string } }> {
  const user = await buildUser(db, overrides)
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  return Object.assign(visitor, { user })
}
/** Ten kg of mangoes, paid on delivery. */
const order = (overrides: Record<string, unknown> = {}) =>
  orderBody(area.id, [[mango.id, 10]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', ...overrides })
const countOrders = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]?.n

describe('a saved address', () => {
  it('replaces the details of the request; without a phone the account’s is used', async () => {
    const buyer = await someone({ email: 'farhana@customer.example' })
    const { id } = await buildAddress(db, buyer.user.id, far.id, { landmark: 'Lake' })
    const body = order({
      customer: { id, name: 'X', phone: '01999999999', email: 'x@y.example', address: 'Elsewhere', area_id: area.id },
    })
    const refused = await buyer.post('/customer-orders', { ...body, expected_total: 1140 })
    expect([refused.status, refused.body.errors]).toEqual([422, { payable_amount: [expect.stringMatching('The total is now ৳1,280')] }])
    const { status, body: answer } = await buyer.post('/customer-orders', { ...body, expected_total: 1280 })
    expect(status).toBe(200)
    const { rows } =
      await sql`select name, phone, email, address, landmark, area_id, customer_id from orders where id = ${answer.order_id}`.execute(db)
    expect(rows[0]).toEqual({
      name: 'Farhana',
      phone: buyer.user.phone,
      email: 'farhana@customer.example',
      address: 'House 12, Road 7A',
      landmark: 'Lake',
      area_id: far.id,
      customer_id: buyer.user.id,
    })
  })
  it('of another customer, or a missing one, is 404 without an order', async () => {
    const [one, other] = [await someone(), await someone()]
    const { id } = await buildAddress(db, one.user.id, area.id)
    const before = await countOrders()
    for (const wanted of [id, 999_999]) {
      const answer = await other.post('/customer-orders', order({ customer: { ...orderBody(area.id, []).customer, id: wanted } }))
      expect([answer.status, answer.body.error]).toEqual([404, 'This address is no longer saved. Please choose another.'])
    }
    expect(await countOrders()).toBe(before)
  })
  it('in an area that was closed later is an error', async () => {
    const buyer = await someone()
    const shut = await buildArea(db, { active: false })
    const { id } = await buildAddress(db, buyer.user.id, shut.id)
    const answer = await buyer.post('/customer-orders', order({ customer: { id } }))
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['customer.area_id']])
  })
  it('a repeated request after the address was deleted returns the first order', async () => {
    const buyer = await someone()
    const { id } = await buildAddress(db, buyer.user.id, area.id)
    const body = order({ customer: { id } })
    const first = await buyer.post('/customer-orders', body, { key: 'sent-before-deleting' })
    await sql`delete from addresses where id = ${id}`.execute(db)
    const again = await buyer.post('/customer-orders', body, { key: 'sent-before-deleting' })
    expect([again.status, again.body.order_id]).toEqual([200, first.body.order_id])
  })
  it('is ignored for a guest, who enters the details', async () => {
    const owner = await someone()
    const { id } = await buildAddress(db, owner.user.id, area.id)
    const details = orderBody(area.id, []).customer
    const answer = await shop.post('/customer-orders', order({ customer: { ...details, id } }))
    const { rows } = await sql`select address from orders where id = ${answer.body.order_id}`.execute(db)
    expect([answer.status, rows[0]]).toEqual([200, { address: details.address }])
  })
  it('is optional: the entered details work for a signed-in customer', async () => {
    const buyer = await someone()
    const answer = await buyer.post('/customer-orders', order())
    const { rows } = await sql`select customer_id from orders where id = ${answer.body.order_id}`.execute(db)
    expect(rows).toEqual([{ customer_id: buyer.user.id }])
  })
})
