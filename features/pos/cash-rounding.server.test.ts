import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { differenceToLedger } from './rules.ts'
import { readDayReport } from './day-report.server.ts'
import { plainText } from './testing/plain-text.ts'

// With cash rounding, total, ledger and drawer agree to the poisha.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const DAY = '2026-11-20'
const [cashier, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
const area = await buildArea(db, { produce: 80 })
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 10_000 })
const priced = (poisha: number) => buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: poisha })
const [mango, papaya, lime] = [await priced(12_375), await priced(4110), await priced(4160)]
afterEach(async () => {
  await expectInvariants(db)
  const report = await readDayReport(db, DAY, 'en')
  expect(differenceToLedger(report)).toBe(0)
  expect(shop.failures).toEqual([])
})

const setRounding = async (isOn: boolean) => {
  const row = { key: 'cash_rounding', value: JSON.stringify(isOn) }
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute()
  await expect
    .poll(
      async () => pageProps<{ roundsCash: boolean }>((await cashier.get('/admin/quick-orders', { accept: 'text/html' })).text).roundsCash,
    )
    .toBe(isOn)
}
const store = (productId: number, quantity: number, more: object) =>
  cashier.post('/admin/quick-orders/store', { products: [{ id: productId, quantity }], customer: { phone: '01712345678' }, ...more })
const ledgerOf = async (id: number) =>
  (
    await sql<{ kind: string; method: string; amount: number }>`
      select kind, method, (amount_poisha / 100.0)::float8 as amount from ledger_entries where order_id = ${id} order by id`.execute(db)
  ).rows.map(({ kind, method, amount }) => `${kind} ${method} ${amount}`)
const dueOf = async (id: number) =>
  (await sql<{ due: number }>`select amount_due(o)::float8 as due from orders o where id = ${id}`.execute(db)).rows[0]!.due
const lastShift = sql`(select max(id) from pos_shifts where cashier_id = ${cashier.id})`
const drawer = async () =>
  (
    await sql<{ sum: number }>`select coalesce(sum(amount_poisha), 0)::float8 / 100 as sum from ledger_entries
      where method = 'cash' and shift_id = ${lastShift}`.execute(db)
  ).rows[0]!.sum
const back = (id: number, quantity: number, productId: number, refund: object) =>
  cashier.post(`/admin/quick-orders/return/${id}`, { lines: [{ product_id: productId, quantity }], refund, reason: 'Too many' })

it('while the setting is off, rounded cash is refused at the payment', async () => {
  for (const cash of [124, 123]) {
    const answer = await store(mango.id, 1, { transactions: { cash }, change_amount: 0, total: 123.75 })
    expect(answer).toMatchObject({ status: 422, body: { errors: { transactions: [expect.any(String)] } } })
  }
  const exact = await store(mango.id, 1, { transactions: { cash: 123.75 }, total: 123.75 })
  expect([exact.status, await ledgerOf(exact.body.order_id!)]).toEqual([200, ['counter cash 123.75']])
})

it('a sale takes whole taka of cash, up and down, with the difference in the ledger', async () => {
  await setRounding(true)
  const up = await store(mango.id, 1, { transactions: { cash: 500 }, change_amount: 376, paid_amount: 500, total: 123.75 })
  expect(up.status, up.text).toBe(200)
  expect(await ledgerOf(up.body.order_id!)).toEqual(['counter cash 124', 'rounding rounding -0.25'])
  const down = await store(papaya.id, 2, { transactions: { cash: 82 }, total: 82.2 })
  expect(await ledgerOf(down.body.order_id!)).toEqual(['counter cash 82', 'rounding rounding 0.2'])
  for (const { body } of [up, down]) expect(await dueOf(body.order_id!)).toBe(0)
  const receipt = (await cashier.get(`/admin/quick-orders/pos-invoice/${up.body.order_id}?lang=en`, { accept: 'text/html' })).text
  expect(plainText(receipt)).toContain('Total ৳123.75 Cash rounding ৳0.25 Cash ৳500 Change ৳376 Due ৳0')
  const invoice = await manager.get(`/admin/orders/invoice/${up.body.order_id}?lang=en`, { accept: 'text/html' })
  expect(plainText(invoice.text)).toMatch(/Cash rounding .*৳0\.25/)
})

it('bKash and bank are not rounded; only the cash beside them is', async () => {
  const bank = await store(mango.id, 1, { transactions: { bank: 123.75 }, total: 123.75 })
  expect(await ledgerOf(bank.body.order_id!)).toEqual(['counter bank 123.75'])
  const mixed = await store(mango.id, 1, { transactions: { cash: 74, bkash: 50 }, change_amount: 0, total: 123.75 })
  expect(await ledgerOf(mixed.body.order_id!)).toEqual(['counter cash 74', 'counter bkash 50', 'rounding rounding -0.25'])
  const even = await store(mango.id, 1, { transactions: { cash: 100, bkash: 23.75 }, total: 123.75 })
  expect(await ledgerOf(even.body.order_id!)).toEqual(['counter cash 100', 'counter bkash 23.75'])
  const delivery = { area_id: area.id, address: 'House 5' }
  const brought = await store(mango.id, 1, { transactions: { cash: 204 }, total: 203.75, delivery })
  expect(await ledgerOf(brought.body.order_id!)).toEqual(['counter cash 204', 'rounding rounding -0.25'])
})

it('takes the exact sum of a device that has not read the setting, and refuses every other sum', async () => {
  const exact = await store(mango.id, 1, { transactions: { cash: 123.75 }, total: 123.75, paid_amount: 123.75, change_amount: 0 })
  expect([exact.status, await ledgerOf(exact.body.order_id!)]).toEqual([200, ['counter cash 123.75']])
  for (const cash of [123, 125, 0, 123.5])
    expect([cash, (await store(mango.id, 1, { transactions: { cash }, change_amount: 0, total: 123.75 })).status]).toEqual([cash, 422])
  expect((await store(mango.id, 1, { transactions: { cash: 124 }, change_amount: 0, total: 124 })).status).toBe(422)
  expect((await store(mango.id, 1, { transactions: { bank: 124 }, change_amount: 0, total: 123.75 })).status).toBe(422)
})

it('one key is one rounded sale, whatever arrives at once', async () => {
  const body = { products: [{ id: mango.id, quantity: 1 }], customer: { phone: '01712345678' }, transactions: { cash: 124 }, total: 123.75 }
  const key = { headers: { 'idempotency-key': 'rounded-once-1' } }
  const answers = await Promise.all(Array.from({ length: 5 }, () => cashier.post('/admin/quick-orders/store', body, key)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  expect(await ledgerOf(answers[0]!.body.order_id!)).toEqual(['counter cash 124', 'rounding rounding -0.25'])
})

it('returns in parts give the cash of one return, and a full return what was paid', async () => {
  const sold = (await store(lime.id, 2, { transactions: { cash: 83 }, total: 83.2 })).body.order_id!
  const page = await cashier.get(`/admin/quick-orders/return?receipt=${sold}`, { accept: 'text/html' })
  expect(pageProps<{ roundsCash: boolean }>(page.text).roundsCash).toBe(true)
  for (const cash of [41.6, 41, 43, 0]) expect(await back(sold, 1, lime.id, { cash })).toMatchObject({ status: 422, body: { refund: 42 } })
  const before = await drawer()
  const twice = await Promise.all([back(sold, 1, lime.id, { cash: 42 }), back(sold, 1, lime.id, { cash: 42 })])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 422])
  expect(await dueOf(sold)).toBe(0)
  expect((await back(sold, 1, lime.id, { cash: 41 })).status).toBe(200)
  expect(await drawer()).toBe(before - 83)
  expect(await dueOf(sold)).toBe(0)
  expect((await ledgerOf(sold)).filter((entry) => entry.startsWith('rounding'))).toEqual([
    'rounding rounding 0.2',
    'rounding rounding 0.4',
    'rounding rounding -0.6',
  ])
  const id = (await db.selectFrom('pos_returns').select('id').where('order_id', '=', sold).orderBy('id').executeTakeFirstOrThrow()).id
  const receipt = await cashier.get(`/admin/quick-orders/return-receipts/${id}?lang=en`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toContain('Refund ৳41.60 Cash rounding ৳0.40 Cash ৳42')

  const whole = (await store(mango.id, 1, { transactions: { cash: 124 }, total: 123.75 })).body.order_id!
  expect((await back(whole, 1, mango.id, { cash: 124 })).status).toBe(200)
  expect(await dueOf(whole)).toBe(0)
  const wired = (await store(mango.id, 1, { transactions: { bkash: 123.75 }, total: 123.75 })).body.order_id!
  expect((await back(wired, 1, mango.id, { bkash: 123.75 })).status).toBe(200)
  expect(await dueOf(wired)).toBe(0)
})

it('cash for everything that is due on account is whole taka; the rest of it is in the ledger', async () => {
  const { id, phone } = await buildUser(db, { credit_limit_poisha: 100_000 })
  const onAccount = { customer: { phone }, transactions: {}, total: 41.1, on_account: 41.1 }
  const [first, second] = [await store(papaya.id, 1, onAccount), await store(papaya.id, 1, onAccount)].map(({ body }) => body.order_id!)
  const pay = (body: object) => cashier.post(`/admin/quick-orders/account/${id}/payments`, { amount: 82.2, method: 'cash', ...body })
  expect((await pay({ received: 81.9 })).body.errors).toHaveProperty('received')
  const before = await drawer()
  const paid = await pay({ received: 100 })
  expect(paid.status, paid.text).toBe(200)
  expect([await drawer(), await dueOf(first!), await dueOf(second!)]).toEqual([before + 82, 0, 0])
  expect(await ledgerOf(first!)).toEqual(['counter cash 41.1'])
  expect(await ledgerOf(second!)).toEqual(['counter cash 40.9', 'rounding rounding 0.2'])
  const receipt = await cashier.get(`${paid.body.redirect}?lang=en`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toContain('Cash rounding −৳0.20 Total ৳82 Cash ৳100 Change ৳18')
  // A return of one of them is rounded by its own sum.
  expect((await back(second!, 1, papaya.id, { cash: 41 })).status).toBe(200)
  // Other methods and parts pay exactly.
  await store(papaya.id, 2, { ...onAccount, total: 82.2, on_account: 82.2 })
  expect((await pay({ amount: 50.5 })).status).toBe(200)
  expect((await pay({ amount: 31.7, method: 'bkash' })).status).toBe(200)
})

it('the shift closes with the rounded cash, and the day report names the rounding', async () => {
  // The first try has closed the shift: a second one closes another.
  await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 10_000 })
  const cash = 10_000 + (await drawer())
  const { rows } = await sql<{
    bkash: number
    bank: number
  }>`select coalesce(sum(amount_poisha) filter (where method = 'bkash'), 0)::float8 / 100 as bkash,
    coalesce(sum(amount_poisha) filter (where method = 'bank'), 0)::float8 / 100 as bank from ledger_entries where shift_id = ${lastShift}`.execute(
    db,
  )
  const { rounding } = await readDayReport(db, DAY, 'en')
  const entries = await sql<{ sum: number }>`select sum(amount_poisha)::int as sum from ledger_entries where kind = 'rounding'`.execute(db)
  expect(rounding).toBe(-entries.rows[0]!.sum)
  const file = await manager.get(`/admin/quick-orders/shifts?day=${DAY}&download=1`, { accept: 'text/html' })
  expect(file.text).toContain(`"Ledger","Cash rounding",,${rounding / 100}`)
  const counted = { counted_cash: cash, counted_bkash: rows[0]!.bkash, counted_bank: rows[0]!.bank }
  expect((await cashier.post('/admin/quick-orders/shift/close', counted)).status).toBe(200)
})

it('a sale without network keeps the rounding of its device after the setting is off', async () => {
  await setRounding(false)
  await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
  const sold_at = new Date(shop.clock.now.getTime() + 60_000).toISOString()
  shop.clock.now = new Date(shop.clock.now.getTime() + 600_000)
  const sale = {
    products: [{ id: mango.id, quantity: 1 }],
    customer: { phone: '01712345678' },
    transactions: { cash: 124 },
    total: 123.75,
    sold_at,
  }
  const late = await cashier.post('/admin/quick-orders/store', sale, { headers: { 'x-sent-at': shop.clock.now.toISOString() } })
  expect(late.status, late.text).toBe(200)
  expect(await ledgerOf(late.body.order_id!)).toEqual(['counter cash 124', 'rounding rounding -0.25'])
  expect(await back(late.body.order_id!, 1, mango.id, { cash: 124 })).toMatchObject({ status: 422, body: { refund: 123.75 } })
})
