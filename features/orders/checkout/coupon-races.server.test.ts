import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { changeOrderStatus } from '../status/change-status.server.ts'

// Concurrent orders with coupons.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, max: 24 })
const area = await buildArea(db, { produce: 60, cattle: 1500 })
// 120 taka per kg, with a product discount of 10 %.
const mango = await buildProduct(db, { coupon_applicable: true, discount_kind: 'percentage', discount_value: 1000 })
const clerk = { kind: 'staff', id: (await buildUser(db, { role: 'sales' })).id, ip: '' } as const
const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const ONCE = { max_uses: 1, percent_bp: 2000 }
afterAll(() => expect(shop.failures).toEqual([]))
afterEach(() => expectInvariants(db))

async function someone(overrides: Record<string, unknown> = {}): Promise<Visitor & { user: { id: number; phone: string } }> {
  const user = await buildUser(db, overrides)
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  return Object.assign(visitor, { user })
}
type Lines = [productId: number, quantity: number][]
/** The body of an order of ten kg of mangoes with a coupon. */
function order(code: string | null, overrides: Record<string, unknown> = {}, lines: Lines = [[mango.id, 10]]) {
  const body = orderBody(area.id, lines, { ...CASH, couponDiscountAmount: null, couponFreeShipping: null, ...overrides })
  return { ...body, products: body.products.map((line) => ({ ...line, coupon: code })) }
}
const usesOf = async (code: string) =>
  (await sql<{ uses: number }>`select uses from coupons where code = ${code}`.execute(db)).rows[0]?.uses
const countOrders = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]?.n

describe('concurrently', () => {
  const tally = (answers: { status: number }[]) => answers.map((answer) => answer.status).toSorted()
  it('twenty customers, one use left: one order, nineteen errors', async () => {
    const { code } = await buildCoupon(db, ONCE)
    const people = await Promise.all(Array.from({ length: 20 }, () => someone()))
    const before = (await countOrders()) ?? 0
    const answers = await Promise.all(people.map((one) => one.post('/customer-orders', order(code))))
    expect(tally(answers)).toEqual([200, ...Array<number>(19).fill(422)])
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(answer.body.errors).toEqual({ coupon: ['This coupon is no longer available.'] })
    expect([await countOrders(), await usesOf(code)]).toEqual([before + 1, 1])
  })
  it('one customer ten times, one use per customer', async () => {
    const { code } = await buildCoupon(db, { max_uses_per_customer: 1, percent_bp: 2000 })
    const buyer = await someone()
    const answers = await Promise.all(Array.from({ length: 10 }, () => buyer.post('/customer-orders', order(code))))
    expect(tally(answers)).toEqual([200, ...Array<number>(9).fill(422)])
  })
  it('one newcomer ten times with a coupon for first orders', async () => {
    const { code } = await buildCoupon(db, { first_order_only: true, percent_bp: 2000 })
    const buyer = await someone()
    const answers = await Promise.all(Array.from({ length: 10 }, () => buyer.post('/customer-orders', order(code))))
    expect(tally(answers)).toEqual([200, ...Array<number>(9).fill(422)])
  })
  it('one newcomer with four coupons for first orders: one order', async () => {
    const coupons = await Promise.all([1, 2, 3, 4].map(() => buildCoupon(db, { first_order_only: true, percent_bp: 2000 })))
    // Orders of one product wait for each other anyway.
    const goods = await Promise.all(coupons.map(() => buildProduct(db, { coupon_applicable: true })))
    for (let round = 0; round < 20; round += 1) {
      const buyer = await someone()
      const answers = await Promise.all(coupons.map(({ code }, n) => buyer.post('/customer-orders', order(code, {}, [[goods[n]!.id, 10]]))))
      expect(tally(answers)).toEqual([200, 422, 422, 422])
    }
  })
  it('twenty customers for the last cow with the last use: each is used once', async () => {
    const { code } = await buildCoupon(db, { ...ONCE, percent_bp: 1000 })
    const cow = await buildAnimal(db, { coupon_applicable: true })
    const people = await Promise.all(Array.from({ length: 20 }, () => someone()))
    const answers = await Promise.all(
      people.map((one) => one.post('/customer-orders', order(code, { payment_type: 'partial', payable_amount: 10_000 }, [[cow.id, 1]]))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 410, 422].includes(status))).toBe(true)
  })
  it('orders, cancellations and changes of the terms run without deadlock', async () => {
    const { id, code } = await buildCoupon(db, { max_uses: 8 })
    const counted = await buildProduct(db, { stock_milli: 1_000_000, coupon_applicable: true })
    const people = await Promise.all(Array.from({ length: 12 }, () => someone()))
    const lines: Lines = [[counted.id, 1]]
    const first = await Promise.all(people.slice(0, 6).map((one) => one.post('/customer-orders', order(code, {}, lines))))
    expect(tally(first)).toEqual(Array(6).fill(200))
    const statusDeps = { db, now: () => shop.clock.now, shopCache: shop.deps.shopCache, env: shop.deps.env, catalogChanged: () => {} }
    const cancel = { to: 'cancelled' as const, reason: 'No longer wanted', version: null }
    const [placed, cancelled] = await Promise.all([
      Promise.all(people.map((one) => one.post('/customer-orders', order(code, {}, lines)))),
      Promise.all(first.map(({ body }) => changeOrderStatus(statusDeps, body.order_id ?? 0, cancel, clerk))),
      sql`update coupons set note = 'changed', version = version + 1 where id = ${id}`.execute(db),
    ])
    expect(cancelled.every((result) => result.ok)).toBe(true)
    expect(placed.every(({ status }) => [200, 422].includes(status))).toBe(true)
    expect(placed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(8)
    expect(placed.filter(({ status }) => status === 200).length).toBe(await usesOf(code))
  })
})

describe('a coupon for one use by a customer', () => {
  const statusDeps = { db, now: () => shop.clock.now, shopCache: shop.deps.shopCache, env: shop.deps.env, catalogChanged: () => {} }
  const move = (id: number | undefined, to: 'cancelled' | 'placed') =>
    changeOrderStatus(statusDeps, id ?? 0, { to, reason: 'By mistake', version: null, mayReopen: true }, clerk)
  const once = () => buildCoupon(db, { max_uses_per_customer: 1, percent_bp: 2000 })
  const ordered = async (who: Visitor & { user: { phone: string } }, code: string) => {
    const body = order(code)
    const answer = await who.post('/customer-orders', { ...body, customer: { ...body.customer, phone: who.user.phone } })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.order_id!
  }

  it('is not used again by a reopened order, when another order of the customer has the use', async () => {
    const [{ code }, buyer] = [await once(), await someone()]
    const first = await ordered(buyer, code)
    expect((await move(first, 'cancelled')).ok).toBe(true)
    await ordered(buyer, code)
    expect([(await move(first, 'placed')).ok, await usesOf(code)]).toEqual([true, 1])
  })
  it('is used by one of several orders that are reopened concurrently', async () => {
    const [{ code }, buyer] = [await once(), await someone()]
    const orders: number[] = []
    for (let n = 0; n < 6; n++) {
      orders.push(await ordered(buyer, code))
      await move(orders[n], 'cancelled')
    }
    await Promise.all(orders.map((id) => move(id, 'placed')))
    expect(await usesOf(code)).toBe(1)
  })
  it('is no broken rule after a merge of two who used it, a corrected phone, or a lower limit', async () => {
    const manager = await someone({ role: 'manager' })
    const pair = async (code: string) => {
      const buyers = [await someone(), await someone()] as const
      return { buyers, orders: [await ordered(buyers[0], code), await ordered(buyers[1], code)] as const }
    }
    const merged = await pair((await once()).code)
    const [target, other] = merged.buyers.map(({ user }) => user.id)
    expect((await manager.post(`/admin/customers/${target}/merge`, { other, orders: 1 })).status).toBe(200)
    const moved = await pair((await once()).code)
    await sql`update orders set idempotency_key = 'guest:' || id where id = ${moved.orders[1]}`.execute(db)
    const edit = { address: 'House 5', phone: moved.buyers[0].user.phone }
    expect((await manager.post(`/admin/orders/update/${moved.orders[1]}`, edit)).status).toBe(200)
    const twice = await buildCoupon(db, { max_uses_per_customer: 2, percent_bp: 2000 })
    const buyer = await someone()
    for (let n = 0; n < 2; n++) await ordered(buyer, twice.code)
    const terms = { code: twice.code, kind: 'percentage', percent: '20', max_uses_per_customer: '1', version: 1 }
    expect(await manager.post(`/admin/coupons/${twice.id}`, terms)).toMatchObject({ status: 200 })
  })
})
