import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { BOOKING_RANGES } from '#features/kurbani/rules.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop, type TestShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

// How often is too often [E7]: far above what people do, by browser and phone first, by address only far above that.

const { db, url } = await testDb()
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
let shop: TestShop
beforeEach(async () => {
  await sql`truncate attempt_counts`.execute(db)
  shop = await openShop({ databaseUrl: url, rateLimit: true })
  return async () => {
    expect(shop.failures).toEqual([])
    await shop.close()
  }
})
afterAll(async () => expect((await sql`select 1 from kurbani_bookings limit 1`.execute(db)).rows).toHaveLength(1))

const tally = (answers: Answer[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, (answer) => answer.status)).map(([status, list]) => [status, list?.length]))
const times = (count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
const booking = (phone: string) => ({ name: 'Karim', email: '', phone, district: '', thana: '', price: BOOKING_RANGES[0], weight: '' })
const search = (headers: Record<string, string> = {}) => shop.get('/api/product/search?q=mango', headers)

describe('row 64: search, 1,000 a minute from one client', () => {
  it('is 429 with Retry-After from the 301st', async () => {
    const answers = await times(1000, () => search())
    expect(tally(answers)).toEqual({ 200: 300, 429: 700 })
    const refused = answers.find((answer) => answer.status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused?.body).toEqual({ message: refused?.body.error, error: 'Too many tries. Please wait a little and try again.' })
  })
  it('row 63: forged forwarding headers change nothing', async () => {
    const answers = await times(350, (index) =>
      search({ 'x-forwarded-for': `10.1.2.${index % 250}`, 'x-real-ip': `10.1.3.${index % 250}`, forwarded: `for=10.1.4.${index % 250}` }),
    )
    expect(tally(answers)).toEqual({ 200: 300, 429: 50 })
  })
  it('does not count another browser behind the same address', async () => {
    await times(310, () => search())
    expect((await search({ 'user-agent': 'another phone' })).status).toBe(200)
  })
})

it('behind a proxy that is trusted the forwarded address counts, and only what the proxy itself wrote', async () => {
  const behind = await openShop({ databaseUrl: url, rateLimit: true, trustProxy: '127.0.0.1' })
  const from = (forwarded: string) => behind.get('/api/product/search?q=mango', { 'x-forwarded-for': forwarded })
  expect(tally(await times(320, (index) => from(`6.6.6.${index % 250}, 20.0.0.1`)))).toEqual({ 200: 300, 429: 20 })
  expect((await from('20.0.0.2')).status).toBe(200)
})

describe('IPv6: a customer has a whole /64, and a site a /48', () => {
  const openBehind = () => openShop({ databaseUrl: url, rateLimit: true, trustProxy: '127.0.0.1' })
  const hex = (index: number) => index.toString(16)
  it('a browser that asks from another address of its network with every request is one browser', async () => {
    const behind = await openBehind()
    const from = (ip: string) => behind.get('/api/product/search?q=mango', { 'x-forwarded-for': ip })
    expect(tally(await times(350, (index) => from(`2001:db8:1:1::${hex(index)}`)))).toEqual({ 200: 300, 429: 50 })
    expect((await from('2001:db8:1:2::1')).status).toBe(200)
  })
  it('a machine with a /48, another name and another network for every request meets the limit of an address', async () => {
    const behind = await openBehind()
    const book = (ip: string, index: number) =>
      behind.post('/api/kurbani-bookings', booking(`017${String(40_000_000 + index)}`), {
        headers: { 'x-forwarded-for': ip, 'user-agent': `robot ${index}` },
      })
    expect(tally(await times(850, (index) => book(`2001:db8:5:${hex(index)}::1`, index)))).toEqual({ 201: 800, 429: 50 })
    expect((await book('2001:db8:6:1::1', 900)).status).toBe(201)
  })
  it('passwords are guessed from one network ten times, whatever address of it', async () => {
    const behind = await openBehind()
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

describe('row 64: pre-bookings', () => {
  it('from one browser: forty a minute', async () => {
    const answers = await times(50, (index) => shop.post('/api/kurbani-bookings', booking(`017${String(20_000_000 + index)}`)))
    expect(tally(answers)).toEqual({ 201: 40, 429: 10 })
    expect(Number(answers.find((answer) => answer.status === 429)?.headers['retry-after'])).toBeGreaterThan(0)
  })
  it('for one phone: twenty an hour, from whatever browser', async () => {
    const answers = await times(25, (index) =>
      shop.post('/api/kurbani-bookings', booking('01733333333'), { headers: { 'user-agent': `phone ${index}` } }),
    )
    expect(tally(answers)).toEqual({ 201: 20, 429: 5 })
  })
  it('a machine that changes its name with every request meets the limit of its address', async () => {
    const answers = await times(850, (index) =>
      shop.post('/api/kurbani-bookings', booking(`017${String(30_000_000 + index)}`), {
        headers: { 'user-agent': `robot ${index}`, cookie: `browser=${String(index).padStart(43, 'A')}` },
      }),
    )
    expect(tally(answers)).toEqual({ 201: 800, 429: 50 })
  })
})

it('vouchers cannot be guessed by the hundred', async () => {
  const answers = await times(40, (index) =>
    shop.post('/coupons/validate', { code: `EID${index}`, cart_items: [], is_new_customer: false }),
  )
  expect(tally(answers)).toEqual({ 401: 30, 429: 10 })
})

it('one phone cannot hold the whole farm: a hundred orders an hour, by either form', async () => {
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const body = orderBody(area.id, [[mango.id, 1]], cash)
  // Orders that came to nothing are not counted.
  for (let late = 0; late < 5; late++)
    expect((await shop.post('/customer-orders', { ...body, products: [{ product_id: 999_999, quantity: 1 }] })).status).toBe(410)
  const answers = await times(102, () => shop.post('/customer-orders', body))
  expect(tally(answers)).toEqual({ 200: 100, 429: 2 })
  const legacy = {
    full_name: 'Karim',
    phone: body.customer.phone,
    email: 'k@customer.example',
    quantity: '1',
    delivery_address: 'Road 1',
    landmark: 'Mosque',
    area: String(area.id),
    pid: String(mango.id),
  }
  const byForm = await shop.post('/order-store', legacy)
  expect([byForm.status, Number(byForm.headers['retry-after']) > 0]).toEqual([429, true])
})
