import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'
import { expireOrders } from '../status/expire-orders.server.ts'

// Limits of unpaid animals per phone, browser and network hold for concurrent orders.

const { db, url } = await testDb()
const limits = { rateLimit: true, trustProxy: '127.0.0.1' }
const shop = await openShop({ databaseUrl: url, ...limits })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
let before = new Map<number, number>()
let cows: number[] = []
beforeEach(async () => {
  await sql`truncate attempt_counts`.execute(db)
  cows = []
  for (let n = 0; n < 15; n++) cows.push((await buildAnimal(db)).id)
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
  // The next test starts without held animals.
  await sql`update orders set status = 'processing', expires_at = null where status = 'placed'`.execute(db)
})

const byHand = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
type Sender = Pick<Visitor, 'post'>
interface Hold {
  by?: Sender
  phone?: string
  from?: string
  payment?: object
  animals?: number[]
  coupon?: string
  headers?: Record<string, string>
}
let serial = 0
const newPhone = () => `017${String(60_000_000 + (serial += 1))}`
const newAddress = () => `20.0.${(serial += 1) % 250}.${serial % 199}`
function hold({
  by = shop,
  phone = newPhone(),
  from = newAddress(),
  payment = byHand,
  animals = [],
  coupon,
  headers = {},
}: Hold): Promise<Answer> {
  const body = orderBody(
    area.id,
    animals.map((id) => [id, 1]),
    { ...payment, ...(coupon ? { couponDiscountAmount: null } : {}) },
  )
  const products = body.products.map((line) => ({ ...line, coupon: coupon ?? null }))
  const customer = { ...body.customer, phone }
  return by.post('/customer-orders', { ...body, products, customer }, { headers: { 'x-forwarded-for': from, ...headers } })
}
const holdEach = (how: (index: number) => Hold, count = cows.length) =>
  Promise.all(cows.slice(0, count).map((cow, index) => hold({ animals: [cow], ...how(index) })))
const statuses = (answers: Answer[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, (answer) => answer.status)).map(([status, list]) => [status, list?.length]))
const held = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from products where id = any(${cows}::bigint[]) and status = 'hold'`.execute(db))
    .rows[0]?.n
const freeCow = async () =>
  (await sql<{ id: number }>`select id from products where id = any(${cows}::bigint[]) and status = 'in-stock' limit 1`.execute(db))
    .rows[0]!.id
/** A browser that opened the checkout, whose page set its token. */
async function browser(): Promise<Visitor> {
  const visitor = shop.visitor()
  await visitor.get('/cart', { accept: 'text/html' })
  expect(visitor.cookies.has('browser')).toBe(true)
  await visitor.token()
  return visitor
}

describe('of fifteen concurrent orders', () => {
  it('one browser with fifteen phones and addresses holds three animals and gets the error text', async () => {
    const by = await browser()
    const answers = await holdEach(() => ({ by }))
    expect([statuses(answers), await held()]).toEqual([{ 200: 3, 409: 12 }, 3])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message:
        'At most 3 unpaid animals can be held at a time. Pay for the ones you hold, log in with an SMS code to confirm your phone, or call us.',
    })
  })

  it('a client that never sends its cookie holds three', async () => {
    const from = newAddress()
    expect([statuses(await holdEach(() => ({ from }))), await held()]).toEqual([{ 200: 3, 409: 12 }, 3])
  })

  it('a client with a new cookie each time reaches the limit of its network', async () => {
    const from = newAddress()
    const browsers = await Promise.all(cows.map(() => browser()))
    const answers = await holdEach((index) => ({ by: browsers[index]!, from }))
    expect([statuses(answers), await held()]).toEqual([{ 200: 10, 409: 5 }, 10])
    const bengali = await hold({ by: await browser(), from, animals: [await freeCow()], headers: { 'accept-language': 'bn' } })
    expect(bengali.body.message).toMatch(/^আপনার নেটওয়ার্ক/)
  })

  it('a /64 counts as one network, its neighbour as another', async () => {
    const browsers = await Promise.all(cows.map(() => browser()))
    const answers = await holdEach((index) => ({ by: browsers[index]!, from: `2001:db8:1:${index < 12 ? 1 : 2}::${index + 1}` }))
    expect([statuses(answers.slice(0, 12)), statuses(answers.slice(12))]).toEqual([{ 200: 10, 409: 2 }, { 200: 3 }])
  })

  // The rate limit rejects more than ten orders an hour for an unverified phone earlier.
  it('one phone from ten browsers and addresses holds three', async () => {
    const phone = newPhone()
    const browsers = await Promise.all(cows.map(() => browser()))
    expect([statuses(await holdEach((index) => ({ by: browsers[index]!, phone }), 10)), await held()]).toEqual([{ 200: 3, 409: 7 }, 3])
  })

  it('over two processes, by hand, online and with a coupon: still three', async () => {
    const other = await openShop({ databaseUrl: url, ...limits })
    const [phone, { code }] = [newPhone(), await buildCoupon(db, { max_uses: 100, max_uses_per_customer: 100 })]
    const customer = await buildUser(db)
    const signedIn = await Promise.all(
      [shop, other].map(async (process) => {
        const visitor = process.visitor()
        await visitor.signIn(customer.phone)
        return visitor
      }),
    )
    const ways: Hold[] = [
      { by: shop },
      { by: other, payment: { payment_type: 'full', payment_gateway: 'pgw' } },
      { by: signedIn[0]!, coupon: code },
      { by: signedIn[1]!, coupon: code },
      { by: other },
    ]
    const answers = await holdEach((index) => ({ phone, ...ways[index % ways.length] }), 10)
    expect([statuses(answers), await held()]).toEqual([{ 200: 3, 409: 7 }, 3])
    expect(other.failures).toEqual([])
  })
})

it('an order above the limit is rejected as a whole', async () => {
  const answer = await hold({ animals: cows.slice(0, 4), payment: { ...byHand, payable_amount: 40_000, partial_payment: 40_000 } })
  expect([answer.status, await held()]).toEqual([409, 0])
})

it('a verified phone holds ten and does not count for its network', async () => {
  const from = newAddress()
  const customer = await buildUser(db, { phone_verified_at: new Date() })
  const by = await browser()
  await by.signIn(customer.phone)
  const answers = await holdEach(() => ({ by, phone: customer.phone, from }))
  expect([statuses(answers), await held()]).toEqual([{ 200: 10, 409: 5 }, 10])
  expect(answers.find(({ status }) => status === 409)?.body.message).toContain('cancel them in your account')
  // The network still has its full limit.
  expect((await hold({ by: await browser(), from, animals: [await freeCow()] })).status).toBe(200)
})

describe('a hold ends', () => {
  const first = async (how: Hold) => {
    const answers: Answer[] = []
    for (const cow of cows.slice(0, 3)) answers.push(await hold({ ...how, animals: [cow] }))
    expect(statuses(answers)).toEqual({ 200: 3 })
    expect((await hold({ ...how, animals: [cows[3]!] })).status).toBe(409)
    return answers.map(({ body }) => body.order_id!)
  }
  it.each<[string, (id: number) => Promise<unknown>]>([
    [
      'is paid',
      (id) =>
        sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${id}, 'advance', 'bkash', 1000000, ${`PAID${id}`})`.execute(
          db,
        ),
    ],
    ['is taken on by the shop', (id) => sql`update orders set status = 'processing', expires_at = null where id = ${id}`.execute(db)],
  ])('when an order %s', async (_name, change) => {
    const how = { phone: newPhone() }
    const [id] = await first(how)
    await change(id!)
    expect((await hold({ ...how, animals: [cows[3]!] })).status).toBe(200)
    expect((await hold({ ...how, animals: [cows[4]!] })).status).toBe(409)
  })
  it('when the orders expire', async () => {
    const how = { phone: newPhone() }
    await first(how)
    shop.clock.now = new Date(shop.clock.now.getTime() + 31 * 60_000)
    expect(await expireOrders({ ...shop.deps, catalogChanged: () => shop.deps.catalogRevision.advance() })).toBe(3)
    expect((await hold({ ...how, animals: [cows[3]!] })).status).toBe(200)
  })
})

it('a repeated request returns its order without another hold', async () => {
  const by = await browser()
  const body = orderBody(
    area.id,
    [
      [cows[0]!, 1],
      [cows[1]!, 1],
      [cows[2]!, 1],
    ],
    { ...byHand, payable_amount: 30_000, partial_payment: 30_000 },
  )
  const answers = await Promise.all(Array.from({ length: 5 }, () => by.post('/customer-orders', body, { key: 'five-times-three' })))
  expect(new Set(answers.map(({ status, body: { order_id: id } }) => `${status} ${id}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
})

it('orders without animals do not count, and do not wait for the lock', async () => {
  const rice = await buildProduct(db, { stock_milli: 100_000 })
  before = await countStock(db)
  const other = openDb(url, { max: 1 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve } = Promise.withResolvers<void>()
  const done = other.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('animal holds', 0))`.execute(tx)
    resolve()
    await released
  })
  await locked
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  let cowAnswered = false
  const cow = hold({ animals: [cows[0]!] }).then((answer) => {
    cowAnswered = true
    return answer
  })
  await new Promise((next) => setTimeout(next, 100))
  // A batch that waits for the lock delays the next batches of its process, not those of another process.
  const second = await openShop({ databaseUrl: url, ...limits })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      second.post('/customer-orders', orderBody(area.id, [[rice.id, 1]], cash), { headers: { 'x-forwarded-for': newAddress() } }),
    ),
  )
  expect([statuses(answers), cowAnswered]).toEqual([{ 200: 5 }, false])
  release()
  await done
  await other.close()
  expect((await cow).status).toBe(200)
})
