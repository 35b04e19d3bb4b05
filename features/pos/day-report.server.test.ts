import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildCategory, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { readDayReport } from './day-report.server.ts'
import { sumDenominations, differenceToLedger } from './rules.ts'

// The day report agrees with the ledger to the poisha.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const area = await buildArea(db, { produce: 80 })
const [cashier, other, manager, viewer] = [
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'viewer'),
]
const [fruit, sweets] = [await buildCategory(db, { name_en: 'Fruit' }), await buildCategory(db, { name_en: 'Sweets' })]
const mango = await buildProduct(db, { category_id: fruit.id, price_poisha: 12_345, discount_kind: null })
const honey = await buildProduct(db, { category_id: sweets.id, price_poisha: 50_000 })

it('is empty on a day without shifts, and rejects other dates', async () => {
  const empty = await readDayReport(db, '2020-01-01', 'en')
  expect(empty).toMatchObject({ sales: 0, total: 0, categories: [], hours: [], moves: [] })
  expect(differenceToLedger(empty)).toBe(0)
  for (const day of ['2020-01-01', 'nonsense', "2020-01-01'; drop", '']) {
    const page = await cashier.get(`/admin/quick-orders/shifts?day=${encodeURIComponent(day)}`, { accept: 'text/html' })
    expect([day, page.status]).toEqual([day, 200])
  }
})

it('sums sales, returns, payment methods, hours and cash movements, and compares them with the ledger', async () => {
  for (const one of [cashier, other]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 500 })
  const store = (body: object, who = cashier) => who.post('/admin/quick-orders/store', { customer: { phone: '01712345678' }, ...body })
  const both = [
    { id: mango.id, quantity: 1 },
    { id: honey.id, quantity: 2 },
  ]
  // 123.45 + 1000 - 23 = 1100.45, and 123.45 + 80 delivery.
  const first = await store({
    products: both,
    transactions: { cash: 600.45, bkash: 500 },
    transaction_ids: { bkash: 'DAY0001' },
    discount: 23,
    total: 1100.45,
  })
  expect(first.status, first.text).toBe(200)
  shop.clock.now = new Date('2026-11-20T07:10:00Z')
  const brought = { products: [both[0]], transactions: { bank: 203.45 }, total: 203.45, delivery: { area_id: area.id, address: 'House 5' } }
  expect((await store(brought, other)).status).toBe(200)
  const back = { lines: [{ product_id: honey.id, quantity: 1 }], refund: { cash: 489.75 }, reason: 'Two were too many' }
  const refused = await other.post(`/admin/quick-orders/return/${first.body.order_id}`, back)
  const refund = (refused.body as { refund?: number }).refund
  const taken = await other.post(`/admin/quick-orders/return/${first.body.order_id}`, { ...back, refund: { cash: refund } })
  expect(taken.status, taken.text).toBe(200)
  await cashier.post('/admin/quick-orders/shift/cash', { direction: 'out', amount: 40.5, reason: 'Tea' })

  const report = await readDayReport(db, '2026-11-20', 'en')
  expect(report).toMatchObject({
    sales: 2,
    goods: 124_690,
    discount: 2300,
    delivery: 8000,
    total: 130_390,
    returns: 1,
    refunds: Math.round(refund! * 100),
    methods: [
      { method: 'cash', taken: 60_045, given: Math.round(refund! * 100) },
      { method: 'bkash', taken: 50_000, given: 0 },
      { method: 'bank', taken: 20_345, given: 0 },
    ],
    categories: [
      { name: 'Sweets', sold: 100_000, returned: 50_000 },
      { name: 'Fruit', sold: 24_690, returned: 0 },
    ],
    hours: [
      { hour: 12, sales: 1, total: 110_045 },
      { hour: 13, sales: 1, total: 20_345 },
    ],
    moves: [{ amount: -4050, reason: 'Tea' }],
  })
  expect(differenceToLedger(report)).toBe(0)
  const file = await viewer.get('/admin/quick-orders/shifts?day=2026-11-20&download=1', { accept: 'text/html' })
  expect([file.status, file.text]).toEqual([200, expect.stringContaining('"Sales","Total",2,1303.9')])
  // Two sales of three products: their number is not one of products.
  expect(file.text).not.toContain('"Products",2')
  for (const format of ['a4', 'roll']) {
    const print = await viewer.get(`/admin/quick-orders/day-report?day=2026-11-20&paper=${format}`, { accept: 'text/html' })
    expect([print.status, print.text]).toEqual([200, expect.stringMatching(/Items sold<[^>]*><[^>]*>2 sales</)])
    expect(print.text).toContain('Before discounts on whole sales and delivery charges; later edits are included.')
  }
  const close = await cashier.get('/admin/quick-orders/close', { accept: 'text/html' })
  expect(close.text).toContain('DAY0001')
  expect((await manager.get('/admin/quick-orders/close', { accept: 'text/html' })).status).toBe(303)
  expect((await cashier.get(`/admin/quick-orders/return?receipt=${first.body.order_id}`, { accept: 'text/html' })).text).toContain(
    'Two were too many',
  )
  expect((await cashier.get('/admin/quick-orders/return-receipts/1', { accept: 'text/html' })).text).toContain('Two were too many')
  for (const id of ['0', '999999', 'x', '1e9', `${'9'.repeat(30)}`])
    expect((await cashier.get(`/admin/quick-orders/return-receipts/${id}`, { accept: 'text/html' })).status).toBe(404)
  for (const receipt of ['999999', 'x', '-1', '%00', "' or 1=1", '/track/nothing-like-this', 'x'.repeat(5000)])
    expect((await cashier.get(`/admin/quick-orders/return?receipt=${encodeURIComponent(receipt)}`, { accept: 'text/html' })).status).toBe(
      200,
    )
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

it('has the total of a sale as it was sold, also after the order was edited', async () => {
  const was = await readDayReport(db, '2026-11-20', 'en')
  const [order] = (await sql<{ id: number; version: number }>`select id, version from orders where status = 'processing'`.execute(db)).rows
  const products = [{ product_id: mango.id, quantity: '3', base_price: 0, price_on_order: '' }]
  const edit = { address: 'House 5', version: order!.version, products, shipping_cost: '90' }
  expect((await manager.post(`/admin/orders/update/${order!.id}`, edit)).status).toBe(200)
  const report = await readDayReport(db, '2026-11-20', 'en')
  const added = 2 * 12_345 + 1000
  expect(report).toMatchObject({ total: was.total, hours: was.hours, edited: added, goods: was.goods + 2 * 12_345, delivery: 9000 })
  expect(report.goods - report.discount + report.delivery - report.edited).toBe(report.total)
  expect(differenceToLedger(report)).toBe(0)
  const page = await viewer.get('/admin/quick-orders/day-report?day=2026-11-20', { accept: 'text/html' })
  expect(page.text).toMatch(/Edited later<.*?>−৳256.90</)
  // Returns are of the orders as they are now, and so are the net sales.
  const net = formatTaka(poisha(was.total + added - report.refunds - report.off_due + report.rounding), 'en')
  expect(page.text).toMatch(new RegExp(`Net sales<.*?>${net}<`))
})

it('finds a sale by the code on its receipt', async () => {
  const { rows } = await sql<{ id: number; code: string }>`select id, tracking_code as code from orders limit 1`.execute(db)
  for (const receipt of [`https://khamar.example/track/${rows[0]!.code}`, ` #${rows[0]!.id} `, bengaliDigits(String(rows[0]!.id))]) {
    const page = await cashier.get(`/admin/quick-orders/return?receipt=${encodeURIComponent(receipt)}`, { accept: 'text/html' })
    expect(page.text).toContain(`Sale ${rows[0]!.id}`)
  }
})

it('finds a sale by the number of its offline receipt', async () => {
  const { rows } = await sql<{ id: number }>`update orders set idempotency_key = 'pos-7:482-91a3f-11'
    where id = (select max(order_id) from pos_sales) returning id`.execute(db)
  for (const [receipt, isThere] of [
    ['U48291A', true],
    [' u48291a ', true],
    ['U48291B', false],
  ] as const) {
    const page = await cashier.get(`/admin/quick-orders/return?receipt=${encodeURIComponent(receipt)}`, { accept: 'text/html' })
    expect(page.text.includes(`Sale ${rows[0]!.id}`)).toBe(isThere)
  }
})

it('sums counted notes as typed', () => {
  expect(sumDenominations({ 1000: '2', 500: '', 20: '৩', 1: '4', 7: '9', 5: 'x', 2: '-1' })).toBe(206_400)
})

it('lists all shifts of a day, as its sums include all', async () => {
  const { rows } = await sql<{
    id: number
  }>`insert into pos_shifts (cashier_id, opened_at, opening_cash_poisha, closed_at, z_number, counted_cash_poisha,
      counted_bkash_poisha, counted_bank_poisha, expected_cash_poisha, expected_bkash_poisha, expected_bank_poisha)
    select ${other.id}, '2019-01-05T06:00:00Z', 0, '2019-01-05T07:00:00Z', 900000 + n, 0, 0, 0, 0, 0, 0 from generate_series(1, 201) n
    returning id`.execute(db)
  const page = await manager.get('/admin/quick-orders/shifts?day=2019-01-05', { accept: 'text/html' })
  expect(pageProps<{ shifts: object[] }>(page.text).shifts).toHaveLength(201)
  await db
    .deleteFrom('pos_shifts')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
})
