import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

// Concurrent orders of the same products, over real connections.

const { db, url } = await testDb({ max: 16 })
const shop = await openShop({ databaseUrl: url, max: 16 })
const area = await buildArea(db, { cattle: 1500, produce: 80 })

let before = new Map<number, number>()
async function countAll() {
  before = await countStock(db)
}
beforeEach(countAll)
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
const statuses = (answers: Answer[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, (answer) => answer.status)).map(([status, list]) => [status, list?.length]))
const left = async (id: number) =>
  (await sql<{ stock_milli: number; status: string }>`select stock_milli, status from products where id = ${id}`.execute(db)).rows[0]
const ordersOf = async (id: number) =>
  (await sql<{ n: number }>`select count(*)::int as n from order_lines where product_id = ${id}`.execute(db)).rows[0]?.n

it('60 buyers of one cow: one order, 59 times 410 with its name', async () => {
  const cow = await buildAnimal(db)
  await countAll()
  const answers = await Promise.all(times(60, () => shop.post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))))
  expect(statuses(answers)).toEqual({ 200: 1, 410: 59 })
  for (const { body } of answers.filter((answer) => answer.status === 410)) {
    expect(body).toMatchObject({
      message: `${cow.name_en} is not available right now.`,
      error: `${cow.name_en} is not available right now.`,
      product_ids: [cow.id],
    })
  }
  expect(answers.find((answer) => answer.status === 200)?.body.redirect_url).toMatch(/^http/)
  expect(await left(cow.id)).toEqual({ stock_milli: 0, status: 'hold' })
  expect(await ordersOf(cow.id)).toBe(1)
})

it('last unit race, 50 parallel orders on stock 1', async () => {
  const jar = await buildProduct(db, { stock_milli: 1000, unit: 'piece' })
  await countAll()
  const answers = await Promise.all(times(50, () => shop.post('/customer-orders', orderBody(area.id, [[jar.id, 1]], cash))))
  expect(statuses(answers)).toEqual({ 200: 1, 410: 49 })
  expect(await left(jar.id)).toEqual({ stock_milli: 0, status: 'out-of-stock' })
})

it('orders of several sizes use the whole stock and no more', async () => {
  const fruit = await buildProduct(db, { stock_milli: 100_000, sizes_milli: [5000, 10_000, 20_000] })
  await countAll()
  const answers = await Promise.all(
    times(60, (index) => shop.post('/customer-orders', orderBody(area.id, [[fruit.id, [5, 10, 20][index % 3] ?? 5]], cash))),
  )
  const taken = answers.filter((answer) => answer.status === 200).length
  expect(statuses(answers)).toEqual({ 200: taken, 410: 60 - taken })
  // The rest is below the minimum size of the rejected orders.
  expect((await left(fruit.id))?.stock_milli).toBe(0)
})

it('takes exactly the ordered quantity', async () => {
  const pair = await buildProduct(db, { stock_milli: 2000, unit: 'piece' })
  await countAll()
  expect((await shop.post('/customer-orders', orderBody(area.id, [[pair.id, 1]], cash))).status).toBe(200)
  expect(await left(pair.id)).toEqual({ stock_milli: 1000, status: 'in-stock' })
})

it('40 orders of two lines in opposite order: no deadlock, correct sums', async () => {
  const [a, b] = [await buildProduct(db, { stock_milli: 30_000 }), await buildProduct(db, { stock_milli: 30_000 })]
  await countAll()
  const answers = await Promise.all(
    times(40, (index) =>
      shop.post(
        '/customer-orders',
        orderBody(
          area.id,
          index % 2
            ? [
                [a.id, 1],
                [b.id, 1],
              ]
            : [
                [b.id, 1],
                [a.id, 1],
              ],
          cash,
        ),
      ),
    ),
  )
  expect(statuses(answers)).toEqual({ 200: 30, 410: 10 })
  expect([await left(a.id), await left(b.id)]).toEqual(times(2, () => ({ stock_milli: 0, status: 'out-of-stock' })))
})

it('an order with one unavailable line takes nothing of the other', async () => {
  const [here, gone] = [await buildProduct(db, { stock_milli: 5000 }), await buildAnimal(db, { status: 'hold', stock_milli: 0 })]
  await countAll()
  const answer = await shop.post(
    '/customer-orders',
    orderBody(area.id, [
      [here.id, 1],
      [gone.id, 1],
    ]),
  )
  expect([answer.status, answer.body.message]).toEqual([410, `${gone.name_en} is not available right now.`])
  expect(await left(here.id)).toEqual({ stock_milli: 5000, status: 'in-stock' })
})

it.each(['pgw', 'NONE'])('ten concurrent requests with one key are one order with one response (%s)', async (payment_gateway) => {
  const cow = await buildAnimal(db)
  await countAll()
  const payment =
    payment_gateway === 'NONE' ? { payment_type: 'partial', payment_gateway, payable_amount: 10_000, partial_payment: 10_000 } : {}
  const body = orderBody(area.id, [[cow.id, 1]], payment)
  const answers = await Promise.all(times(10, () => shop.post('/customer-orders', body, { key: `ten-times-${payment_gateway}` })))
  expect(statuses(answers)).toEqual({ 200: 10 })
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
  expect(await ordersOf(cow.id)).toBe(1)
  // Also much later, although the cow is not available then.
  shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)
  const again = await shop.post('/customer-orders', body, { key: `ten-times-${payment_gateway}` })
  expect([again.status, again.text]).toEqual([200, answers[0]?.text])
})

it('a key with another body is a conflict', async () => {
  const fruit = await buildProduct(db, { stock_milli: 50_000 })
  await countAll()
  const body = orderBody(area.id, [[fruit.id, 5]], cash)
  const first = await shop.post('/customer-orders', body, { key: 'used-twice' })
  const other = await shop.post('/customer-orders', { ...body, products: [{ product_id: fruit.id, quantity: 6 }] }, { key: 'used-twice' })
  expect([first.status, other.status]).toEqual([200, 409])
  expect(other.body.error).toBe(other.body.message)
  expect(await left(fruit.id)).toMatchObject({ stock_milli: 45_000 })
})

it('another body under the key is a conflict, also where the first order has the animal', async () => {
  const cow = await buildAnimal(db)
  await countAll()
  const body = orderBody(area.id, [[cow.id, 1]])
  expect((await shop.post('/customer-orders', body, { key: 'one-cow-twice' })).status).toBe(200)
  const other = await shop.post(
    '/customer-orders',
    { ...body, customer: { ...body.customer, address: 'Somewhere else 9' } },
    { key: 'one-cow-twice' },
  )
  expect([other.status, other.body.order_id]).toEqual([409, undefined])
  expect(await ordersOf(cow.id)).toBe(1)
})

it('a key of a rejected order can be used again', async () => {
  const cow = await buildAnimal(db, { status: 'hold', stock_milli: 0 })
  const body = orderBody(area.id, [[cow.id, 1]])
  expect((await shop.post('/customer-orders', body, { key: 'refused-first' })).status).toBe(410)
  await sql`update products set status = 'in-stock', stock_milli = 1000 where id = ${cow.id}`.execute(db)
  await countAll()
  expect((await shop.post('/customer-orders', body, { key: 'refused-first' })).status).toBe(200)
})

it('a customer and a guest with the same key have separate orders', async () => {
  const fruit = await buildProduct(db)
  const user = await buildUser(db)
  const customer = shop.visitor()
  await customer.signIn(user.phone)
  const body = orderBody(area.id, [[fruit.id, 5]], cash)
  const [mine, theirs] = [
    await customer.post('/customer-orders', body, { key: 'shared-by-two' }),
    await shop.post('/customer-orders', body, { key: 'shared-by-two' }),
  ]
  expect([mine.status, theirs.status]).toEqual([200, 200])
  expect(mine.body.order_id).not.toBe(theirs.body.order_id)
})

it('products that change continuously: every order is placed at a valid price', async () => {
  const fruit = await buildProduct(db, { stock_milli: 900_000 })
  await countAll()
  let isOver = false
  const clerk = async () => {
    for (let note = 0; !isOver; note++) await sql`update products set note_en = ${String(note)} where id = ${fruit.id}`.execute(db)
  }
  const clerks = [clerk(), clerk()]
  const answers = await Promise.all(times(60, () => shop.post('/customer-orders', orderBody(area.id, [[fruit.id, 1]], cash))))
  isOver = true
  await Promise.all(clerks)
  expect(statuses(answers)).toEqual({ 200: 60 })
})

it('an order is placed while its customer is erased: it goes to a new one', async () => {
  const { rice, guest } = { rice: await buildProduct(db), guest: await buildUser(db, { password: null }) }
  await countAll()
  const body = orderBody(area.id, [[rice.id, 1]], cash)
  const placing = await db.transaction().execute(async (tx) => {
    expect(await erasePerson(tx, { ids: [guest.id], phones: [guest.phone] }, new Date())).toEqual({ ok: true, orders: 0 })
    const answer = shop.post('/customer-orders', { ...body, customer: { ...body.customer, phone: guest.phone } })
    await untilLockWait(db)
    return { answer }
  })
  expect((await placing.answer).status).toBe(200)
  const { rows } = await sql<{ phone: string; id: number }>`select u.phone, u.id from orders o join users u on u.id = o.customer_id
    where o.phone = ${guest.phone}`.execute(db)
  expect(rows).toEqual([{ phone: guest.phone, id: expect.any(Number) }])
  expect(rows[0]!.id).not.toBe(guest.id)
})

it('an order is placed while its guest is merged into an account', async () => {
  const { rice, account } = { rice: await buildProduct(db), account: await buildUser(db) }
  const body = orderBody(area.id, [[rice.id, 1]], cash)
  await countAll()
  expect((await shop.post('/customer-orders', body)).status).toBe(200)
  const { rows } = await sql<{ id: number }>`select id from users where phone = ${String(body.customer.phone)}`.execute(db)
  let placing: Promise<Answer> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`select merge_guest_into_account(${rows[0]!.id}, ${account.id})`.execute(tx)
    placing = shop.post('/customer-orders', body)
    await untilLockWait(db)
  })
  expect((await placing)?.status).toBe(200)
})
