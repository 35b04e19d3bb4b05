import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// The machine's clock is set back or forward by hours while people work.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 900_000 })
const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const html = { accept: 'text/html' }
const move = (minutes: number) => (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000))
beforeEach(() => (shop.clock.now = new Date('2026-11-20T06:00:00Z')))
afterAll(() => expect(shop.failures).toEqual([]))

it.each([-300, 300])('orders by %i minutes: a repeat is replayed, new ones get the day of the new time', async (minutes) => {
  const stock = await countStock(db)
  const body = orderBody(area.id, [[honey.id, 1]], cash)
  const key = `clock-jump-of-${minutes}`
  const first = await shop.post('/customer-orders', body, { key })
  move(minutes)
  const [again, next] = [await shop.post('/customer-orders', body, { key }), await shop.post('/customer-orders', body)]
  expect([first.status, again.text, next.status]).toEqual([200, first.text, 200])
  const { placed_at } = await db.selectFrom('orders').select('placed_at').where('id', '=', next.body.order_id!).executeTakeFirstOrThrow()
  expect(placed_at).toEqual(shop.clock.now)
  await expectInvariants(db, stock)
})

it('a shift goes on over a clock that is set back: sales with own receipt numbers, and closing', async () => {
  const stock = await countStock(db)
  const cashier = shop.visitor()
  await cashier.signIn((await buildUser(db, { role: 'cashier' })).phone)
  expect((await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })).status).toBe(200)
  const sell = (key: string) => {
    const line = { products: [{ id: honey.id, quantity: 1, price: 120 }], transactions: { cash: 120 }, total: 120 }
    return cashier.post(
      '/admin/quick-orders/store',
      { ...line, customer: { phone: '01710000001' } },
      { headers: { 'idempotency-key': key } },
    )
  }
  const before = await sell('sale-before-the-jump')
  move(-180)
  const after = await sell('sale-after-the-jump')
  expect([before.status, after.status, (await sell('sale-before-the-jump')).text]).toEqual([200, 200, before.text])
  expect(after.body.order_id).not.toBe(before.body.order_id)
  const counted = { counted_cash: 240, counted_bkash: 0, counted_bank: 0, note: '' }
  const closed = await cashier.post('/admin/quick-orders/shift/close', counted)
  expect(closed.status, closed.text).toBe(200)
  await expectInvariants(db, stock)
})

it('an idle session ends half an hour after a clock that was set back, not hours later', async () => {
  const manager = shop.visitor()
  await manager.signIn((await buildUser(db, { role: 'manager' })).phone)
  move(-300)
  expect((await manager.get('/admin/orders', html)).status).toBe(200)
  move(31)
  expect((await manager.get('/admin/orders', html)).status).toBe(303)
})

it('a customer stays signed in, whichever way the clock moves', async () => {
  const customer = shop.visitor()
  await customer.signIn((await buildUser(db)).phone)
  for (const minutes of [-600, 900]) {
    move(minutes)
    expect((await customer.get('/account', html)).status).toBe(200)
  }
})
