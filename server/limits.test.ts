import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { countAttempts, uncountAttempts } from '#features/auth/attempts.server.ts'
import { BOOKING_RANGES } from '#features/kurbani/rules.ts'
import { testDb } from '#test/db.ts'
import { buildAddress, buildArea, buildProduct, buildUser, orderBody, legacyOrderBody } from '#test/factories.ts'
import { openLimitedBehindProxy, openLimitedShop } from '#test/limited-shop.ts'
import { openShop, type TestShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

// How often is too often [E7]: far above what people do, by browser and phone first, by address only far above that.

const { db, url } = await testDb()
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
let shop: TestShop
beforeEach(async () => {
  const [opened, close] = await openLimitedShop(db, url)
  shop = opened
  return close
})
afterAll(async () => expect((await sql`select 1 from kurbani_bookings limit 1`.execute(db)).rows).toHaveLength(1))

const tally = (answers: Answer[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, (answer) => answer.status)).map(([status, list]) => [status, list?.length]))
const times = (count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
const booking = (phone: string) => ({ name: 'Karim', email: '', phone, district: '', thana: '', price: BOOKING_RANGES[0], weight: '' })
const phoneOf = (index: number) => `017${String(20_000_000 + index)}`
/** What Chrome on any Android phone sends: nothing but its release. */
const CHROME = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

/** A browser that has opened the cart, and so has a secret. */
async function browser(of: TestShop = shop, headers: Record<string, string> = {}) {
  const visitor = of.visitor()
  await visitor.get('/cart', { accept: 'text/html', ...headers })
  await visitor.token()
  return visitor
}

describe('thousands of shoppers behind one address', () => {
  it('search as they like', async () => {
    for (const path of ['/api/product/search?q=mango', '/api/product/suggestions?q=mango'])
      expect(tally(await times(700, () => shop.get(path, { 'user-agent': CHROME }))), path).toEqual({ 200: 700 })
  })
  it('with one release of Chrome pre-book, two hundred a minute', async () => {
    const answers = await times(210, (index) =>
      shop.post('/api/kurbani-bookings', booking(phoneOf(index)), { headers: { 'user-agent': CHROME } }),
    )
    expect(tally(answers)).toEqual({ 201: 200, 429: 10 })
    const refused = answers.find((answer) => answer.status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused?.body).toEqual({ message: refused?.body.error, error: 'Too many attempts. Please wait a moment and try again.' })
  })
  it('forged forwarding headers change nothing', async () => {
    const answers = await times(210, (index) => {
      const headers = { 'x-forwarded-for': `10.1.2.${index}`, 'x-real-ip': `10.1.3.${index}`, forwarded: `for=10.1.4.${index}` }
      return shop.post('/api/kurbani-bookings', booking(phoneOf(index)), { headers })
    })
    expect(tally(answers)).toEqual({ 201: 200, 429: 10 })
  })
})

it('behind a proxy that is trusted the forwarded address counts, and only what the proxy itself wrote', async () => {
  const behind = await openLimitedBehindProxy(url)
  const from = (forwarded: string, index: number) =>
    behind.post('/api/kurbani-bookings', booking(phoneOf(index)), { headers: { 'x-forwarded-for': forwarded } })
  expect(tally(await times(210, (index) => from(`6.6.6.${index}, 20.0.0.1`, index)))).toEqual({ 201: 200, 429: 10 })
  expect((await from('20.0.0.2', 300)).status).toBe(201)
})

describe('IPv6: a customer has a whole /64, and a site a /48', () => {
  const hex = (index: number) => index.toString(16)
  it('a browser that asks from another address of its network with every request is one browser', async () => {
    const behind = await openLimitedBehindProxy(url)
    const by = await browser(behind, { 'x-forwarded-for': '2001:db8:1:1::1' })
    const from = (ip: string, index: number) =>
      by.post('/api/kurbani-bookings', booking(phoneOf(index)), { headers: { 'x-forwarded-for': ip } })
    expect(tally(await times(15, (index) => from(`2001:db8:1:1::${hex(index)}`, index)))).toEqual({ 201: 10, 429: 5 })
    expect((await from('2001:db8:1:2::1', 20)).status).toBe(201)
  })
  it('a machine with a /48, another name and another network for every request meets the limit of an address', async () => {
    const behind = await openLimitedBehindProxy(url)
    const book = (ip: string, index: number) =>
      behind.post('/api/kurbani-bookings', booking(`017${String(40_000_000 + index)}`), {
        headers: { 'x-forwarded-for': ip, 'user-agent': `robot ${index}` },
      })
    expect(tally(await times(250, (index) => book(`2001:db8:5:${hex(index)}::1`, index)))).toEqual({ 201: 200, 429: 50 })
    expect((await book('2001:db8:6:1::1', 900)).status).toBe(201)
  })
  it('passwords are guessed from one network ten times, whatever address of it', async () => {
    const behind = await openLimitedBehindProxy(url)
    const guess = (ip: string) =>
      behind.post('/login', { identifier: '01999999997', password: 'wrong' }, { headers: { 'x-forwarded-for': ip } })
    expect(tally(await times(20, (index) => guess(`2001:db8:1:1::${hex(index)}`)))).toEqual({ 422: 10, 429: 10 })
    expect((await guess('2001:db8:1:2::1')).status).toBe(422)
    // An IPv4 address is the same one however a proxy writes it.
    expect(tally(await times(20, (index) => guess(index % 2 ? '203.0.113.9' : '::ffff:203.0.113.9')))).toEqual({ 422: 4, 429: 16 })
  })
})

it('lists, pages, pictures and polling are not limited', async () => {
  for (const path of [
    '/',
    '/api/products',
    `/api/product-status-update?productIds=${mango.id}`,
    '/api/areas?active=true',
    '/uploads/none.webp',
  ]) {
    const answers = await times(400, () => shop.get(path))
    expect(
      answers.filter((answer) => answer.status === 429),
      path,
    ).toEqual([])
  }
})

describe('pre-bookings', () => {
  it('from one browser: ten a minute; another one behind its address is not concerned', async () => {
    const by = await browser()
    const answers = await times(15, (index) => by.post('/api/kurbani-bookings', booking(phoneOf(index))))
    expect(tally(answers)).toEqual({ 201: 10, 429: 5 })
    expect(Number(answers.find((answer) => answer.status === 429)?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await (await browser()).post('/api/kurbani-bookings', booking(phoneOf(30)))).status).toBe(201)
  })
  it('for one phone: five an hour, from whatever browser', async () => {
    const answers = await times(9, (index) =>
      shop.post('/api/kurbani-bookings', booking('01733333333'), { headers: { 'user-agent': `phone ${index}` } }),
    )
    expect(tally(answers)).toEqual({ 201: 5, 429: 4 })
  })
  it('a machine that changes its name with every request meets the limit of its address: a minute’s, then the hour’s', async () => {
    const robot = (index: number) =>
      shop.post('/api/kurbani-bookings', booking(`017${String(30_000_000 + index)}`), {
        headers: { 'user-agent': `robot ${index}`, cookie: `browser=${String(index).padStart(43, 'A')}` },
      })
    expect(tally(await times(250, robot))).toEqual({ 201: 200, 429: 50 })
    await sql`update attempt_counts set count = 299 where key like 'booking-from:%'`.execute(db)
    const later = await openShop({ databaseUrl: url, rateLimit: true })
    const answers = await times(5, (index) =>
      later.post('/api/kurbani-bookings', booking(`017${String(31_000_000 + index)}`), { headers: { 'user-agent': `robot ${index}` } }),
    )
    expect(tally(answers)).toEqual({ 201: 1, 429: 4 })
  })
})

it('coupons cannot be guessed by the hundred', async () => {
  const customer = shop.visitor()
  await customer.signIn((await buildUser(db)).phone)
  await customer.token()
  const answers = await times(40, (index) =>
    customer.post('/coupons/validate', { code: `EID${index}`, cart_items: [], is_new_customer: false }),
  )
  expect(tally(answers)).toEqual({ 400: 20, 429: 20 })
})

describe('orders', () => {
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  let serial = 0
  const newPhone = () => `017${String(50_000_000 + (serial += 1))}`
  const order = (phone: string, by: Pick<typeof shop, 'post'> = shop, headers: Record<string, string> = {}) => {
    const body = orderBody(area.id, [[mango.id, 1]], cash)
    return by.post('/customer-orders', { ...body, customer: { ...body.customer, phone } }, { headers })
  }
  const placed = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]!.n
  it('for one stated phone: ten an hour, by either form, from whatever browser; the rest reads when to come again', async () => {
    const body = orderBody(area.id, [[mango.id, 1]], cash)
    // Orders that came to nothing are not counted.
    for (let late = 0; late < 12; late++)
      expect((await shop.post('/customer-orders', { ...body, products: [{ product_id: 999_999, quantity: 1 }] })).status).toBe(410)
    const before = await placed()
    const answers = await times(25, () => shop.post('/customer-orders', body))
    expect([tally(answers), (await placed()) - before]).toEqual([{ 200: 10, 429: 15 }, 10])
    const refused = answers.find(({ status }) => status === 429)
    expect([Number(refused?.headers['retry-after']) > 0, refused?.body.message]).toEqual([
      true,
      expect.stringMatching(/^Too many orders in a short time\. Please try again in \d+ minutes, or call us\.$/),
    ])
    const bengali = await shop.post('/customer-orders', body, { headers: { cookie: 'lang=bn' } })
    expect(bengali.body.message).toMatch(/^অল্প সময়ে অনেকগুলো অর্ডার হয়েছে। [০-৯]+ মিনিট পরে আবার চেষ্টা করুন, অথবা ফোন করুন।$/)
    const legacy = legacyOrderBody(area.id, mango.id, { phone: String(body.customer.phone), quantity: '1' })
    const byForm = await shop.post('/order-store', legacy)
    expect([byForm.status, Number(byForm.headers['retry-after']) > 0, byForm.body.message]).toEqual([429, true, refused?.body.message])
    // Another phone is not concerned.
    expect((await order(newPhone())).status).toBe(200)
  })

  it('and thirty a day', async () => {
    const phone = newPhone()
    const answers = []
    for (let hour = 0; hour < 4; hour++) {
      answers.push(...(await times(9, () => order(phone))))
      shop.clock.now = new Date(shop.clock.now.getTime() + 3_600_000)
    }
    expect(tally(answers)).toEqual({ 200: 30, 429: 6 })
  })

  it('a hundred to a hundred phones from one browser: thirty', async () => {
    const by = await browser()
    expect(tally(await times(100, () => order(newPhone(), by)))).toEqual({ 200: 30, 429: 70 })
    expect((await order(newPhone(), await browser())).status).toBe(200)
  })

  it('rejected ones of a browser use up nothing of the phones that they state', async () => {
    const [by, phone] = [await browser(), newPhone()]
    expect(tally(await times(30, () => order(newPhone(), by)))).toEqual({ 200: 30 })
    expect(tally(await times(40, () => order(phone, by)))).toEqual({ 429: 40 })
    expect((await order(phone, await browser())).status).toBe(200)
  })

  it('from programs without a browser’s secret: sixty an address', async () => {
    expect(tally(await times(70, () => order(newPhone())))).toEqual({ 200: 60, 429: 10 })
    // A forged secret is none.
    expect((await order(newPhone(), shop, { cookie: `browser=${'A'.repeat(43)}` })).status).toBe(429)
  })

  it('from one address, however many browsers: a thousand; thousands of shoppers share one', async () => {
    await sql`insert into attempt_counts (key, window_start, count) values ('order-from:127.0.0.1 3600', ${new Date('2026-11-20T06:00:00Z')}, 998)`.execute(
      db,
    )
    const browsers = await Promise.all(Array.from({ length: 5 }, () => browser()))
    const answers = await Promise.all(browsers.map((by) => order(newPhone(), by)))
    expect(tally(answers)).toEqual({ 200: 2, 429: 3 })
  })

  it('an IPv6 network counts as a whole, and its /48 far above', async () => {
    const behind = await openLimitedBehindProxy(url)
    await sql`insert into attempt_counts (key, window_start, count) values ('order-from:2001:db8:1:2::/64 3600', ${new Date('2026-11-20T06:00:00Z')}, 999)`.execute(
      db,
    )
    const from = (address: string) => order(newPhone(), behind, { 'x-forwarded-for': address })
    const answers = [await from('2001:db8:1:2::1'), await from('2001:db8:1:2::2'), await from('2001:db8:1:3::1')]
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200])
    await sql`update attempt_counts set count = 5000 where key = 'order-site:2001:db8:1::/48 3600'`.execute(db)
    expect([(await from('2001:db8:1:4::1')).status, (await from('2001:db8:2:4::1')).status]).toEqual([429, 200])
  })

  it('a customer’s own confirmed phone: sixty; a saved address with another phone counts for that phone', async () => {
    const customer = await buildUser(db, { phone_verified_at: new Date(), email: 'c@customer.example' })
    const by = shop.visitor()
    await by.signIn(customer.phone)
    await by.token()
    expect(tally(await times(20, () => order(customer.phone, by)))).toEqual({ 200: 20 })
    const phone = newPhone()
    const { id } = await buildAddress(db, customer.id, area.id, { phone })
    const body = orderBody(area.id, [[mango.id, 1]], cash)
    const toAddress = () => by.post('/customer-orders', { ...body, customer: { ...body.customer, id } })
    expect(tally(await times(12, toAddress))).toEqual({ 200: 10, 429: 2 })
  })

  it('the same request again after the last one that may come is its order', async () => {
    const body = orderBody(area.id, [[mango.id, 1]], cash)
    for (let n = 0; n < 9; n++) await shop.post('/customer-orders', body)
    const last = await shop.post('/customer-orders', body, { key: 'the-tenth-order' })
    expect((await shop.post('/customer-orders', body)).status).toBe(429)
    const again = await shop.post('/customer-orders', body, { key: 'the-tenth-order' })
    expect([last.status, again.status, again.text]).toEqual([200, 200, last.text])
  })

  it('counters that share keys do not wait for each other in a ring', async () => {
    const limit = { max: 1000, windowSeconds: 3600 }
    const keys = ['a', 'b', 'c', 'd'].map((key) => ({ key, limit }))
    const now = new Date()
    await Promise.all(Array.from({ length: 200 }, (_, n) => countAttempts(db, n % 2 ? keys : keys.toReversed(), now)))
    await Promise.all(Array.from({ length: 50 }, (_, n) => uncountAttempts(db, n % 2 ? keys : keys.toReversed(), now)))
    const { rows } = await sql<{ count: number }>`select distinct count from attempt_counts where key like '_ 3600'`.execute(db)
    expect(rows).toEqual([{ count: 150 }])
    expect(await countAttempts(db, [...keys, { key: 'e', limit: { max: 0, windowSeconds: 60 } }], new Date('2026-01-01T00:00:15Z'))).toBe(
      45,
    )
  })
})
