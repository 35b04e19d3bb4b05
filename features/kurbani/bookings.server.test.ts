import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { BOOKING_RANGES } from './rules.ts'

// Pre-booking a Kurbani cow.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const good = { name: 'Karim', email: '', phone: '01711222333', district: '', thana: '', price: BOOKING_RANGES[0], weight: '' }
const bookings = async () => (await sql<{ n: number }>`select count(*)::int as n from kurbani_bookings`.execute(db)).rows[0]?.n ?? 0

it.each([
  ['no name', { name: ' ' }, { name: 'Name is required' }],
  ['no phone', { phone: '' }, { phone: 'Phone is required' }],
  ['a short phone', { phone: '0171122233' }, { phone: /11-digit/ }],
  ['no price', { price: '' }, { price: 'Price range is required' }],
  ['a price that is none of the twelve', { price: '60,000-80,000' }, { price: 'Choose a price range from the list.' }],
  ['a price in an array', { price: [BOOKING_RANGES[0]] }, { price: /./ }],
  ['an email without a dot', { email: 'a@b' }, { email: 'Enter a valid email address.' }],
  [
    '256 letters',
    { district: 'x'.repeat(256), thana: 'x'.repeat(256), weight: 'x'.repeat(256) },
    { district: /255/, thana: /255/, weight: /255/ },
  ],
  ['a thana of another district', { district: 'Chattogram', thana: 'Dhanmondi' }, { thana: 'Choose a thana in this district.' }],
  ['a thana without its district', { thana: 'Dhanmondi' }, { thana: /thana in this district/ }],
  ['a district that is none', { district: 'Kolkata', thana: 'Behala' }, { district: 'Choose a district from the list.' }],
  ['places in an array', { district: ['Dhaka'], thana: { a: 1 } }, { district: /./, thana: /./ }],
  ['NUL', { weight: 'a\u0000' }, { weight: 'Some characters can’t be used here. Please retype it.' }],
  ['half an emoji', { name: 'Karim \ud83d' }, { name: 'Some characters can’t be used here. Please retype it.' }],
  ['everything at once', { name: '', phone: 'x', price: 'x', email: 'x' }, { name: /./, phone: /./, price: /./, email: /./ }],
])('%s: 422 at its field, and nothing is stored', async (_name, wrong, errors) => {
  const before = await bookings()
  const response = await shop.post('/api/kurbani-bookings', { ...good, ...wrong })
  expect([response.status, Object.keys(response.body.errors ?? {}).toSorted()]).toEqual([422, Object.keys(errors).toSorted()])
  expect(response.body.message).toBe('Please check the form for errors')
  for (const [field, text] of Object.entries(errors)) expect(response.body.errors?.[field]?.[0]).toMatch(text)
  expect(await bookings()).toBe(before)
})

it.each([
  ['the hidden field filled in', { website: 'https://buy.example' }],
  ['a form open for a second', { open_ms: 1_000 }],
])('a bot: %s is rejected, and nothing is stored', async (_name, sign) => {
  const before = await bookings()
  const response = await shop.post('/api/kurbani-bookings', { ...good, ...sign })
  expect([response.status, response.body.message]).toEqual([422, 'That was very fast. Please wait a moment and submit again.'])
  expect(await bookings()).toBe(before)
})

it('a form that was open for two seconds is accepted', async () => {
  expect((await shop.post('/api/kurbani-bookings', { ...good, website: '', open_ms: 2_000 })).status).toBe(201)
})

it('stores districts and thanas by their English names, for any spelling', async () => {
  await shop.post('/api/kurbani-bookings', { ...good, district: ' ঢাকা', thana: 'ধানমন্ডি ' })
  const { rows } = await sql`select district, thana from kurbani_bookings order by id desc limit 1`.execute(db)
  expect(rows[0]).toEqual({ district: 'Dhaka', thana: 'Dhanmondi' })
})

it('districts can be cached publicly for a day', async () => {
  const response = await shop.get('/api/districts')
  expect([response.status, response.headers['cache-control']]).toEqual([200, 'public, max-age=86400'])
  expect(JSON.parse(response.text)).toHaveLength(64)
})

it.each(BOOKING_RANGES)('accepts %s', async (price) => {
  const response = await shop.post('/api/kurbani-bookings', { ...good, price })
  expect([response.status, response.body.message]).toEqual([201, 'Your booking has been submitted successfully!'])
})

it('stores the known fields only, normalized', async () => {
  await shop.post('/api/kurbani-bookings', {
    ...good,
    name: ' করিম ',
    phone: '+৮৮০১৭১১-২২২৪৪৪',
    email: ' k@customer.example ',
    state: 'closed',
    id: 1,
    created_at: '1999-01-01',
  })
  const { rows } = await sql`select name, phone, email, state from kurbani_bookings order by id desc limit 1`.execute(db)
  expect(rows[0]).toEqual({ name: 'করিম', phone: '01711222444', email: 'k@customer.example', state: 'new' })
})

it('the same form sent again is one booking, after ten minutes or with another value a new one', async () => {
  const form = { ...good, name: 'Twice', phone: '01711222555', weight: '250 kg' }
  const send = async (more: object = {}) => (await shop.post('/api/kurbani-bookings', { ...form, ...more })).body as { id?: number }
  const ids = await Promise.all([send(), send(), send()])
  expect(new Set(ids.map(({ id }) => id)).size).toBe(1)
  expect((await send({ weight: '300 kg' })).id).not.toBe(ids[0]!.id)
  expect((await send({ phone: '01711222556' })).id).not.toBe(ids[0]!.id)
  shop.clock.now = new Date(shop.clock.now.getTime() + 11 * 60_000)
  expect((await send()).id).not.toBe(ids[0]!.id)
})
