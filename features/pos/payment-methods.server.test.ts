import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { differenceToLedger } from './rules.ts'
import { readDayReport } from './day-report.server.ts'
import { saleBody } from './forms.ts'
import { plainText } from './testing/plain-text.ts'

// Nagad, Rocket and card: switched on in the settings, with a closing line each.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const DAY = '2026-11-20'
const [cashier, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
const opened = await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const shiftId = (opened.body as { shift_id?: number }).shift_id!
const mango = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
afterEach(async () => {
  await expectInvariants(db)
  expect(differenceToLedger(await readDayReport(db, DAY, 'en'))).toBe(0)
  expect(shop.failures).toEqual([])
})

const page = async <Props>(address: string) => pageProps<Props>((await cashier.get(address, { accept: 'text/html' })).text)
async function enable(...methods: string[]) {
  const value = JSON.stringify(Object.fromEntries(['nagad', 'rocket', 'card'].map((one) => [one, methods.includes(one)])))
  await db
    .insertInto('settings')
    .values({ key: 'pos_methods', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await expect.poll(async () => (await page<{ methods: string[] }>('/admin/quick-orders')).methods).toEqual(methods)
}
const store = (transactions: object, more: object = {}, options: object = {}) =>
  cashier.post(
    '/admin/quick-orders/store',
    { products: [{ id: mango.id, quantity: 1 }], customer: { phone: '01712345678' }, transactions, total: 100, ...more },
    options,
  )
const ledgerOf = async (id: number) =>
  (
    await sql<{ line: string }>`select concat_ws(' ', kind, method, (amount_poisha / 100.0)::float8, reference) as line
      from ledger_entries where order_id = ${id} order by id`.execute(db)
  ).rows.map(({ line }) => line)

it('all are off by default, and refused at their field', async () => {
  expect((await page<{ methods: string[] }>('/admin/quick-orders')).methods).toEqual([])
  for (const method of ['nagad', 'rocket', 'card']) {
    const answer = await store({ [method]: 100 })
    expect(answer).toMatchObject({ status: 422, body: { errors: { [`transactions.${method}`]: [expect.any(String)] } } })
  }
  expect((await store({ cash: 100, nagad: 0, rocket: '', card: null })).status).toBe(200)
  expect((await store({ cash: 100, crypto: 5 })).status).toBe(200)
})

it('an amount that is not sent leaves the body, so that the hash of an older request stays the same', () => {
  const old = { products: [{ id: 1, quantity: 1 }], transactions: { cash: 1 }, total: 1, customer: { phone: '01712345678' } }
  const text = JSON.stringify(saleBody.parse(old))
  expect(text).toContain('"transactions":{"cash":100,"bkash":null,"bank":null},"transaction_ids":{"bkash":null,"bank":null}')
})

it('a sale is paid by several methods exactly, with change from cash only', async () => {
  await enable('nagad', 'rocket', 'card')
  const transactions = { cash: 50, nagad: 30, rocket: 20, card: 10 }
  const ids = { transaction_ids: { nagad: 'nagad 12 x7', rocket: 'RCK123456', card: '' } }
  const sold = await store(transactions, { change_amount: 10, paid_amount: 110, ...ids })
  expect(sold.status, sold.text).toBe(200)
  const entries = ['counter cash 40', 'counter nagad 30 NAGAD12X7', 'counter rocket 20 RCK123456', 'counter card 10']
  expect(await ledgerOf(sold.body.order_id!)).toEqual(entries)
  for (const wrong of [{ nagad: 110 }, { cash: 5, card: 90 }, { nagad: -5, cash: 105 }, { card: 'x' }, { rocket: 1e15 }])
    expect([wrong, (await store(wrong, { change_amount: 0 })).status]).toEqual([wrong, 422])
  expect(await store({ nagad: 110 }, { change_amount: 10 })).toMatchObject({
    status: 422,
    body: { errors: { transactions: expect.anything() } },
  })
  const again = await store({ nagad: 100 }, ids)
  expect(again).toMatchObject({ status: 422, body: { errors: { 'transaction_ids.nagad': [expect.any(String)] } } })
  const receipt = await cashier.get(`/admin/quick-orders/pos-invoice/${sold.body.order_id}?lang=en`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toContain('Cash ৳50 Change ৳10 Nagad ৳30 Rocket ৳20 Card ৳10 Due ৳0')
  const invoice = await manager.get(`/admin/orders/invoice/${sold.body.order_id}?lang=en`, { accept: 'text/html' })
  expect(plainText(invoice.text)).toMatch(/\(Rocket\).*\(card\)/)
})

it('a sale without network keeps a method that was switched off meanwhile, and so does its refund', async () => {
  await enable('rocket')
  const sold_at = shop.clock.now.toISOString()
  shop.clock.now = new Date(shop.clock.now.getTime() + 600_000)
  const late = await store({ card: 100 }, { sold_at }, { headers: { 'x-sent-at': shop.clock.now.toISOString() } })
  expect(late.status, late.text).toBe(200)
  const refund = (id: number, money: object) =>
    cashier.post(`/admin/quick-orders/return/${id}`, { lines: [{ product_id: mango.id, quantity: 0.5 }], refund: money, reason: 'Soft' })
  expect((await page<{ methods: string[] }>(`/admin/quick-orders/return?receipt=${late.body.order_id}`)).methods).toEqual([
    'rocket',
    'card',
  ])
  expect(await refund(late.body.order_id!, { nagad: 50 })).toMatchObject({
    status: 422,
    body: { errors: { 'refund.nagad': expect.anything() } },
  })
  const back = await refund(late.body.order_id!, { card: 20, rocket: 30 })
  expect(back.status, back.text).toBe(200)
  expect(await ledgerOf(late.body.order_id!)).toEqual([
    'counter card 100',
    'refund rocket -30',
    'refund card -20',
    expect.stringMatching('^return'),
  ])
  const { id } = await db.selectFrom('pos_returns').select('id').where('order_id', '=', late.body.order_id!).executeTakeFirstOrThrow()
  const receipt = await cashier.get(`/admin/quick-orders/return-receipts/${id}?lang=en`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toContain('Refund ৳50 Rocket ৳30 Card ৳20')
})

it('closing has a line for each method taken or switched on, and a difference needs a reason', async () => {
  expect((await page<{ methods: string[] }>('/admin/quick-orders/close')).methods).toEqual(['nagad', 'rocket', 'card'])
  const counted = { counted_cash: 1240, counted_bkash: 0, counted_bank: 0, counted_nagad: 30, counted_rocket: 0, counted_card: 90 }
  expect((await manager.post('/admin/quick-orders/shift/close', counted)).status).toBe(409)
  const own = (more: object) => cashier.post('/admin/quick-orders/shift/close', { ...counted, ...more })
  expect(await own({ counted_nagad: 29 })).toMatchObject({ status: 422, body: { errors: { note: expect.anything() } } })
  const closed = await own({ note: 'Refund by Rocket, nothing received' })
  expect(closed.status, closed.text).toBe(200)
  const counts = await db.selectFrom('pos_shift_counts').selectAll().where('shift_id', '=', shiftId).orderBy('method').execute()
  expect(counts.map(({ method, counted_poisha, expected_poisha }) => [method, counted_poisha, expected_poisha])).toEqual([
    ['card', 9000, 9000],
    ['nagad', 3000, 3000],
    ['rocket', 0, -1000],
  ])
  const report = await manager.get(`/admin/quick-orders/shift-report/${shiftId}?lang=en`, { accept: 'text/html' })
  expect(plainText(report.text)).toContain('Nagad ৳30 ৳30 ৳0 Rocket −৳10 ৳0 ৳10 Card ৳90 ৳90 ৳0')
  const file = await manager.get(`/admin/quick-orders/shifts?day=${DAY}&download=1`, { accept: 'text/html' })
  for (const line of ['"Taken","Rocket",,20', '"Given back","Rocket",,-30', 'Nagad",4,30']) expect(file.text).toContain(line)
  const bengali = await manager.get(`/admin/quick-orders/shifts?day=${DAY}&download=1&lang=bn`, { accept: 'text/html' })
  for (const line of ['"অংশ","বিষয়","সংখ্যা","টাকা"', '"এসেছে","রকেট",,20']) expect(bengali.text).toContain(line)
  expect(bengali.text).not.toMatch(/"(Sales|Drawer|Taken|Ledger|Hour)"/)
})

it('a shift without these methods closes as specified', async () => {
  await enable()
  await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
  const closed = await cashier.post('/admin/quick-orders/shift/close', { counted_cash: 0, counted_bkash: 0, counted_bank: 0 })
  expect(closed.status, closed.text).toBe(200)
  expect((await db.selectFrom('pos_shift_counts').selectAll().where('shift_id', '<>', shiftId).execute()).length).toBe(0)
})
