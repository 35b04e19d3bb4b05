import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { ProductSearch } from '#features/search/product-search.server.ts'
import '#messages/bn-admin.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { translate } from '#lib/i18n/translate.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import { findAnything } from './search-everything.server.ts'

const { db, reset } = await testDb()
beforeEach(reset)

/** An order of this customer with this contact phone. */
async function order(buyer: { id: number }, phone: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into orders (status, reason, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha,
      payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    values ('placed', '', ${buyer.id}, 'Rahima', ${phone}, 'House 5', 100, 0, 0, 100, 'full', 'NONE', 0, '2026-01-01', now(), 'key', gen_random_uuid()::text)
    returning id`.execute(db)
  return rows[0]!.id
}

const find = async (typed: string, may = { orders: true, customers: true, products: false }) =>
  (await findAnything({ db, search: {} as ProductSearch }, typed, may, 'en')).map(({ kind, id }) => `${kind} ${id}`)

test('the beginning of a phone number finds orders and customers, in Latin or Bengali digits and in international form', async () => {
  const rahima = await buildUser(db, { role: 'customer', phone: '01811000001' })
  await buildUser(db, { role: 'customer', phone: '01911000001' })
  const own = await order(rahima, rahima.phone)
  for (const typed of ['0181', '০১৮১', '+88 0181', '01811-00', rahima.phone])
    expect(await find(typed), typed).toEqual([`order ${own}`, `customer ${rahima.id}`])
  expect(await find('0182')).toEqual([])
  expect(await find('0181', { orders: false, customers: true, products: false })).toEqual([`customer ${rahima.id}`])
})

test('an order is found by its contact phone, newest first; a number is an order id unless it starts with a zero', async () => {
  const rahima = await buildUser(db, { role: 'customer', phone: '01811000001' })
  const [first, second] = [await order(rahima, '01755000001'), await order(rahima, '01755000001')]
  expect(await find('01755')).toEqual([`order ${second}`, `order ${first}`])
  expect(await find(`#${first}`)).toEqual([`order ${first}`])
  expect(await find(`0${first}`)).toEqual([])
})

test('a number finds no sale without a phone', async () => {
  const rahima = await buildUser(db, { role: 'customer' })
  const first = await order(rahima, '01755000001')
  await sql`update orders set source = 'pos', phone = '' where id = ${await order(rahima, '01755000002')}`.execute(db)
  expect(await find(`${first}`)).toEqual([`order ${first}`])
})

test('a customer is found by the beginning of a name in either script, or by email, with permission to read customers only', async () => {
  const rahima = await buildUser(db, { role: 'customer', name: 'রহিমা বেগম', email: 'rahima@example.com' })
  const karim = await buildUser(db, { role: 'customer', name: 'Abdul Karim' })
  await buildUser(db, { role: 'sales', name: 'Rahima Staff' })
  await buildUser(db, { role: 'customer', name: 'Rahima Old', merged_into: rahima.id, disabled_at: new Date() })
  for (const typed of ['Rahima', 'rohima beg', 'রহিম', 'begum', 'rahima@ex'])
    expect(await find(typed), typed).toEqual([`customer ${rahima.id}`])
  expect(await find('আব্দুল')).toEqual([`customer ${karim.id}`])
  expect(await find('Rahima', { orders: true, customers: false, products: false })).toEqual([])
  for (const typed of ['%%', '& | !', "':*", '\u200b\u200b', 'নাই কেউ']) expect(await find(typed), typed).toEqual([])
})

test('a name is found from the index among many customers', async () => {
  await sql`insert into users (name, phone, role) select 'Jahanara ' || n, '018' || lpad(n::text, 8, '0'), 'customer' from generate_series(1, 5000) n`.execute(
    db,
  )
  const rare = await buildUser(db, { role: 'customer', name: 'Zulfiqar Ali' })
  await sql`analyze users`.execute(db)
  expect(await find('zulfikar')).toEqual([`customer ${rare.id}`])
  expect(await find('jahan')).toHaveLength(6)
  const { rows } = await sql<Record<string, string>>`explain select id from users u where u.role = 'customer' and u.merged_into is null
    and u.name_phonetic_tsv @@ 'jlfkr:*'::tsquery order by u.id desc limit 6`.execute(db)
  expect(rows.map((row) => Object.values(row)[0]).join(' ')).toContain('users_name')
})

test('numbers and states are in the language of the reader', async () => {
  const rahima = await buildUser(db, { role: 'customer', phone: '01811000001', name: 'রহিমা' })
  const id = await order(rahima, rahima.phone)
  const found = await findAnything({ db, search: {} as ProductSearch }, '01811', { orders: true, customers: true, products: false }, 'bn')
  expect(found).toEqual([
    {
      kind: 'order',
      id,
      title: `#${bengaliDigits(String(id))} · Rahima`,
      detail: `০১৮১১০০০০০১ · ${translate('bn')('order-status.placed')}`,
    },
    { kind: 'customer', id: rahima.id, title: 'রহিমা', detail: '০১৮১১০০০০০১' },
  ])
  expect(translate('bn')('order-status.placed')).not.toBe('order-status.placed')
})
