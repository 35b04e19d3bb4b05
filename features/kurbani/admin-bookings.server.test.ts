import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { OwnOrder } from '#features/orders/history/own-orders.server.ts'
import { buildAnimal, buildArea, buildUser, orderBody } from '#test/factories.ts'
import { listNews } from '#features/news/queries.server.ts'
import { listTasks } from '#features/reports/dashboard-tasks.server.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { BookingRow } from './booking-queries.server.ts'
import { BOOKING_RANGES, rangeText } from './rules.ts'

// The admin list of Kurbani pre-bookings.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const [sales, viewer, customer] = [shop.visitor(), shop.visitor(), shop.visitor()]
for (const [visitor, role] of [
  [sales, 'sales'],
  [viewer, 'viewer'],
  [customer, 'customer'],
] as const)
  await visitor.signIn((await buildUser(db, { role })).phone)

const form = { email: '', weight: '', thana: '', district: '', price: BOOKING_RANGES[0] }
const book = async (more: object) => ((await shop.post('/api/kurbani-bookings', { ...form, ...more })).body as { id: number }).id
const karim = await book({ name: '=HYPERLINK("http://evil.example")', phone: '01711000001', district: 'Dhaka', thana: 'Savar' })
const rahima = await book({ name: 'রহিমা', phone: '01711000002', district: 'Chattogram', price: BOOKING_RANGES[3] })
const last = await book({ name: 'Last', phone: '01822000003', weight: '+250' })

type Props = { page: { rows: BookingRow[]; prev: object | null; next: Record<string, string> | null } }
const list = async (query = '') => pageProps<Props>((await sales.get(`/admin/bookings${query}`)).text).page
const placesOf = async (query: string) =>
  Object.values(pageProps<{ places: Record<number, string> }>((await sales.get(`/admin/bookings${query}`)).text).places)
const ids = async (query = '') => (await list(query)).rows.map(({ id }) => id)
const update = (id: number | string, body: object, visitor = sales) =>
  visitor.post(`/admin/bookings/${id}`, { state: 'called', note: '', version: 1, ...body })

it.each<[string, number[]]>([
  ['', [last, rahima, karim]],
  ['?district=Dhaka', [karim]],
  ['?district=%E0%A6%A2%E0%A6%BE%E0%A6%95%E0%A6%BE', [karim]],
  [`?price=${encodeURIComponent(BOOKING_RANGES[3] ?? '')}`, [rahima]],
  ['?q=01711000002', [rahima]],
  ['?q=%2B8801711000002', [rahima]],
  ['?q=017', [rahima, karim]],
  ['?q=88018', [last]],
  ['?q=%E0%A7%A6%E0%A7%A7%E0%A7%AE', [last]],
  ['?state=closed', []],
  ['?state=nonsense&district=Nowhere&price=1', [last, rahima, karim]],
])('the list of %s', async (query, expected) => {
  expect(await ids(query)).toEqual(expected)
})

it('finds beginnings of phones in a database with the order of a language', async () => {
  await sql`alter table kurbani_bookings alter phone type text collate "en-x-icu"`.execute(db)
  expect([await ids('?q=017'), await ids('?q=01822000003'), await ids('?q=019')]).toEqual([[rahima, karim], [last], []])
})

describe('a long list', () => {
  beforeAll(async () => {
    await sql`insert into kurbani_bookings (name, phone, price_range, state)
      select 'Many', '01933000000', ${BOOKING_RANGES[5]}, 'closed' from generate_series(1, 120)`.execute(db)
  })

  it('has keyset pages', async () => {
    const first = await list('?state=closed')
    const second = await list(`?state=closed&after=${first.next?.after}`)
    const third = await list(`?state=closed&after=${second.next?.after}`)
    expect([first, second, third].map(({ rows }) => rows.length)).toEqual([50, 50, 20])
    expect([first.prev, third.next]).toEqual([null, null])
  })

  it('is a file without formulas, with phones that have their leading zero', async () => {
    const exports = () =>
      db.selectFrom('audit_log').select(['action', 'subject', 'after']).where('action', '=', 'exported').orderBy('id').execute()
    const before = await exports()
    const { text, headers, status } = await viewer.get('/admin/bookings/export?q=01')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')])
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(124)
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")","=""01711000001"""`)
    expect(text).toContain(`"'+250"`)
    expect((await customer.get('/admin/bookings/export')).status).toBe(403)
    expect(await exports()).toEqual([...before, { action: 'exported', subject: 'booking', after: { filter: 'q=…' } }])
  })
})

it('district, thana and price range are in the language of the reader, in the list and in the file', async () => {
  expect(await placesOf('?district=Dhaka')).toEqual(['Savar, Dhaka'])
  expect(await placesOf('?district=Dhaka&lang=bn')).toEqual(['সাভার, ঢাকা'])
  const english = (await sales.get('/admin/bookings/export?q=01711000001&lang=en')).text
  expect(english).toContain('"Dhaka","Savar","৳60,000 – ৳80,000"')
  const bengali = (await sales.get('/admin/bookings/export?q=01711000001&lang=bn')).text
  expect(bengali).toContain('"ঢাকা","সাভার","৬০,০০০-৮০,০০০ টাকা"')
})

it.each([
  [BOOKING_RANGES[3]!, '৳1,20,001 – ৳1,50,000'],
  [BOOKING_RANGES.at(-1)!, 'Above ৳5,00,000'],
  ['1,00,000', '1,00,000'],
])('the price range %s in English: %s', (stored, text) => {
  expect(rangeText(stored, 'en')).toBe(text)
  expect(rangeText(stored, 'bn')).toBe(stored)
})

it('an update stores user and time; the second of two is a conflict; the audit log has both', async () => {
  const id = await book({ name: 'Rahima', phone: '01611000004' })
  const note = 'Wants a red bull\nafter Friday'
  const response = await update(id, { note })
  const { booking } = response.body as { booking: BookingRow }
  expect([response.status, booking.state, booking.note, booking.version, booking.handled_by]).toEqual([
    200,
    'called',
    note,
    2,
    expect.any(String),
  ])
  const responses = await Promise.all([update(id, { state: 'matched', version: 2 }), update(id, { state: 'closed', version: 2 })])
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
  // The later one gets the row as it is saved.
  expect(responses.map((answer) => (answer.body as { booking: BookingRow }).booking.version)).toEqual([3, 3])
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from audit_log where subject = 'booking' and subject_id = ${String(id)}`.execute(db)
  expect(rows[0]?.n).toBe(2)
})

it.each<[string, object]>([
  ['no state', { state: undefined }],
  ['an unknown state', { state: 'sold' }],
  ['a long note', { note: 'x'.repeat(1001) }],
  ['NUL', { note: 'a\u0000' }],
  ['no version', { version: null }],
  ['an unknown field', { phone: '01711111111' }],
])('%s: 422 without a change', async (_name, body) => {
  const before = (await list('?q=01822')).rows[0]
  expect((await update(last, body)).status).toBe(422)
  expect((await list('?q=01822')).rows[0]).toEqual(before)
})

it('needs the permission to read or to write, and a token', async () => {
  expect((await viewer.get('/admin/bookings')).status).toBe(200)
  expect((await update(last, {}, viewer)).status).toBe(403)
  expect((await update(last, {}, customer)).status).toBe(403)
  expect((await customer.get('/admin/bookings')).status).toBe(403)
  expect((await shop.get('/admin/bookings')).status).toBe(303)
  expect((await sales.post(`/admin/bookings/${last}`, { state: 'called', note: '', version: 1 }, { token: null })).status).toBe(403)
  expect((await update(999_999, {})).status).toBe(404)
  expect((await list('?q=01822')).rows[0]).toMatchObject({ state: 'new', version: 1 })
})

it('a pre-booking and the orders that came of it lead to each other, in the admin and in the account', async () => {
  const area = await buildArea(db, { cattle: 1500, produce: 80 })
  const { rows } = await sql<{ id: number }>`select id from categories where key = 'kurbani'`.execute(db)
  const buyer = await buildUser(db, { role: 'customer', phone_verified_at: new Date() })
  const booking = await book({ name: 'Buyer', phone: buyer.phone })
  const other = await book({ name: 'Other', phone: '01911111119' })
  const placed = async (product: { id: number }) => {
    const order = orderBody(area.id, [[product.id, 1]], { payment_type: 'partial', payment_gateway: 'NONE', ...advance })
    const { body, text } = await shop.post('/customer-orders', { ...order, customer: { ...order.customer, phone: buyer.phone } })
    expect(body.order_id, text).toBeTypeOf('number')
    return body.order_id!
  }
  const advance = { payable_amount: 15_000, partial_payment: 15_000 }
  const [cow, beef] = [await buildAnimal(db, { category_id: rows[0]!.id }), await buildAnimal(db)]
  expect(cow.category_id).not.toBe(beef.category_id)
  const [order, ofBeef] = [await placed(cow), await placed(beef)]
  const rowOf = async (id: number) => (await list()).rows.find((row) => row.id === id)!
  expect((await rowOf(booking)).orders).toEqual([{ id: order, status: 'placed' }])
  expect((await rowOf(other)).orders).toEqual([])
  const bookedAt = Date.parse((await rowOf(booking)).created_at)
  const staffSees = async (id: number) =>
    pageProps<{ order: AdminOrder }>((await sales.get(`/admin/orders/update/${id}`, { accept: 'text/html' })).text).order.pre_booked_at
  expect(Date.parse((await staffSees(order))!)).toBe(bookedAt)
  expect(await staffSees(ofBeef)).toBeNull()
  const account = shop.visitor()
  await account.signIn(buyer.phone)
  const { orders } = pageProps<{ orders: OwnOrder[] }>((await account.get('/account', { accept: 'text/html' })).text)
  expect(orders.map(({ id, pre_booked_at: at }) => [id, at && Date.parse(at)])).toEqual([
    [ofBeef, null],
    [order, bookedAt],
  ])
  expect((await sales.get(`/admin/bookings/export?q=${buyer.phone}`)).text.trim().split(/\r?\n/).at(-1)).toMatch(
    new RegExp(`,"?${order}"?$`),
  )

  await sql`update kurbani_bookings set created_at = created_at - interval '1 year' where id = ${booking}`.execute(db)
  expect([(await rowOf(booking)).orders, await staffSees(order)], 'a pre-booking of the season before').toEqual([[], null])
})

it('a pre-booking is matched while a live order came of it, in the list, its filter, the dashboard and the news', async () => {
  const area = await buildArea(db, { cattle: 1500, produce: 80 })
  const { rows } = await sql<{ id: number }>`select id from categories where key = 'kurbani'`.execute(db)
  const cow = await buildAnimal(db, { category_id: rows[0]!.id })
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 15_000, partial_payment: 15_000 }
  const order = orderBody(area.id, [[cow.id, 1]], advance)
  const phone = String(order.customer.phone)
  const booking = await book({ name: 'Matched', phone })
  const seen = async () => {
    const [row, fresh] = [(await list(`?q=${phone}`)).rows[0]!, await ids('?state=new')]
    const matched = await ids('?state=matched')
    const tasks = (await listTasks(db, new Date())).find(({ key }) => key === 'bookings')!.count
    return [row.state, fresh.includes(booking), matched.includes(booking), tasks, (await listNews(db)).bookings.includes(booking)]
  }
  const others = (await ids('?state=new')).length - 1
  expect(await seen()).toEqual(['new', true, false, others + 1, true])

  const { body, text } = await shop.post('/customer-orders', order)
  expect(body.order_id, text).toBeTypeOf('number')
  expect(await seen()).toEqual(['matched', false, true, others, false])
  // A note leaves the stored state alone, so that the pre-booking is new again with the end of its order.
  expect((await update(booking, { state: 'matched', note: 'Paid' })).body).toMatchObject({ booking: { state: 'matched', note: 'Paid' } })
  await sql`update orders set status = 'cancelled', reason = 'No' where id = ${body.order_id}`.execute(db)
  expect(await seen()).toEqual(['new', true, false, others + 1, true])
  // So does a note that was written while the order was live, and is saved after it has ended.
  const late = { state: 'matched', shown_state: 'matched', note: 'Paid again', version: 2 }
  expect((await update(booking, late)).body).toMatchObject({ booking: { state: 'new', note: 'Paid again' } })
  expect((await update(booking, { state: 'closed', version: 3 })).body).toMatchObject({ booking: { state: 'closed' } })
})

it('a cow that has Kurbani among its further categories matches a pre-booking too', async () => {
  const area = await buildArea(db, { cattle: 1500, produce: 80 })
  const cow = await buildAnimal(db)
  await sql`insert into product_categories (product_id, category_id) select ${cow.id}, id from categories where key = 'kurbani'`.execute(db)
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 15_000, partial_payment: 15_000 }
  const order = orderBody(area.id, [[cow.id, 1]], advance)
  const phone = String(order.customer.phone)
  const booking = await book({ name: 'Further', phone })
  const { body, text } = await shop.post('/customer-orders', order)
  expect(body.order_id, text).toBeTypeOf('number')
  const row = (await list(`?q=${phone}`)).rows[0]
  expect([row?.id, row?.state, row?.orders]).toEqual([booking, 'matched', [{ id: body.order_id, status: 'placed' }]])
})

it('a new order has phone, name and email of the pre-booking that it is opened from', async () => {
  const id = await book({ name: 'আবুল', phone: '০১৬১১-২২৩৩৪৪', email: 'abul@example.com' })
  const { text } = await sales.get(`/admin/orders/create?booking=${id}`)
  expect(pageProps(text)).toMatchObject({ phone: '01611223344', booked: { name: 'আবুল', email: 'abul@example.com' } })
  expect(pageProps((await sales.get('/admin/orders/create?booking=999999')).text)).toMatchObject({ phone: '', booked: null })
})
