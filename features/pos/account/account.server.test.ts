import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { readDayReport } from '../day-report.server.ts'
import { differenceToLedger } from '../rules.ts'
import { plainText } from '../testing/plain-text.ts'
import { readStatement } from './statement.server.ts'

// Sales on account: one limit at two registers, payments to the oldest sale, and a drawer that adds up.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const DAY = '2026-11-20'
const people = await Promise.all([signedIn(shop, 'cashier'), signedIn(shop, 'cashier'), signedIn(shop, 'manager'), signedIn(shop, 'sales')])
const [cashier, second, manager, sales] = people
for (const one of [cashier, second]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const mango = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
const AUDITED = 'event of staff without an audit entry'
/** Of the customer of a test: each try has another one. */
let phone = ''
beforeEach(() => {
  phone = String(orderBody(1, []).customer.phone)
})
afterEach(async () => {
  await expectInvariants(db)
  expect(await findBroken(db, { [AUDITED]: LEDGER_INVARIANTS[AUDITED]! })).toEqual({})
  expect(differenceToLedger(await readDayReport(db, DAY, 'en'))).toBe(0)
  expect(shop.failures).toEqual([])
  if (!(await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirst())) return
  const { opening, closing } = await readStatement(db, await customerId(), { from: DAY, to: '2030-01-01' })
  expect([opening, closing]).toEqual([0, (await account()).owed * 100])
})

const store = (who: typeof cashier, quantity: number, more: object, options: object = {}) =>
  who.post(
    '/admin/quick-orders/store',
    { products: [{ id: mango.id, quantity }], customer: { phone }, total: quantity * 100, transactions: {}, ...more },
    options,
  )
const customerId = async () => (await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()).id
const account = async () =>
  ((await cashier.get(`/api/admin/quick-orders/account?phone=${phone}`)).body as { account: { limit: number; owed: number; left: number } })
    .account
const setLimit = async (credit_limit: unknown, who = manager, previous: unknown = 0) =>
  who.post(`/admin/customers/${await customerId()}/credit-limit`, { credit_limit, previous })
const pay = async (amount: unknown, more: object = {}, { who = cashier, key }: { who?: typeof cashier; key?: string } = {}) =>
  who.post(
    `/admin/quick-orders/account/${await customerId()}/payments`,
    { amount, method: 'cash', ...more },
    key ? { headers: { 'idempotency-key': key } } : {},
  )
const dues = async () =>
  (
    await sql<{
      due: number
    }>`select (amount_due(o) / 100.0)::float8 as due from orders o join account_sales a on a.order_id = o.id
      where o.customer_id = ${await customerId()} order by o.id`.execute(db)
  ).rows.map(({ due }) => due)
/** The customer of this test has a limit and owes these sums, each of a sale at the first register. */
async function hasAccount(limit: number, ...owed: number[]): Promise<void> {
  await buildUser(db, { phone, credit_limit_poisha: limit * 100 })
  for (const sum of owed) expect((await store(cashier, sum / 100, { on_account: sum })).status).toBe(200)
}

it('without a limit nothing is sold on account', async () => {
  const unknown = await store(cashier, 1, { on_account: 100 })
  expect(unknown).toMatchObject({ status: 422, body: { errors: { on_account: [expect.any(String)] } } })
  expect((await cashier.get(`/api/admin/quick-orders/account?phone=${phone}`)).body).toEqual({ account: null })
  expect((await store(cashier, 1, { transactions: { cash: 100 } })).status).toBe(200)
  expect((await store(cashier, 1, { on_account: 100 })).status).toBe(422)
  expect(await account()).toEqual({ limit: 0, owed: 0, left: 0 })
})

it('a manager sets the limit, with an audit entry; cashiers and sales do not', async () => {
  await hasAccount(0)
  for (const who of [cashier, sales]) expect((await setLimit(500, who)).status).toBe(403)
  for (const wrong of [-1, 'x', 1e12, null, '']) expect([wrong, (await setLimit(wrong)).status]).toEqual([wrong, 422])
  expect((await manager.post('/admin/customers/999999/credit-limit', { credit_limit: 5, previous: 0 })).status).toBe(404)
  expect((await manager.post(`/admin/customers/${cashier.id}/credit-limit`, { credit_limit: 5, previous: 0 })).status).toBe(404)
  expect((await setLimit(500)).status).toBe(200)
  const log = sql`select before, after from audit_log where subject = 'customer' and subject_id = ${String(await customerId())}`
  expect((await log.execute(db)).rows).toEqual([{ before: { credit_limit: 0 }, after: { credit_limit: 500 } }])
})

it('a customer who was erased gets no limit', async () => {
  const other = await buildUser(db)
  expect(await erasePerson(db, (await findPerson(db, other.phone))!, shop.clock.now)).toMatchObject({ ok: true })
  expect((await manager.post(`/admin/customers/${other.id}/credit-limit`, { credit_limit: 5, previous: 0 })).status).toBe(404)
})

it('a limit that another manager has set meanwhile is not overwritten', async () => {
  await hasAccount(500)
  expect(await setLimit(800, manager, 0)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Someone else has changed/) },
  })
  expect((await account()).limit).toBe(500)
  expect((await setLimit(800, manager, '')).status).toBe(422)
  expect((await setLimit(500, manager, 0)).status).toBe(200)
  const both = await Promise.all([setLimit(510, manager, 500), setLimit(520, manager, 500)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await setLimit(500, manager, (await account()).limit)).status).toBe(200)
})

it('a part or all of a sale stays due, in the ledger and on the receipt', async () => {
  await hasAccount(500)
  const part = await store(cashier, 2, { transactions: { cash: 100, bkash: 50 }, change_amount: 0, paid_amount: 150, on_account: 50 })
  expect(part.status, part.text).toBe(200)
  const all = await store(cashier, 1, { on_account: 100 })
  expect(all.status, all.text).toBe(200)
  expect(await dues()).toEqual([50, 100])
  expect(await account()).toEqual({ limit: 500, owed: 150, left: 350 })
  const receipt = await cashier.get(`/admin/quick-orders/pos-invoice/${part.body.order_id}?lang=en`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toMatch(/Cash ৳100 bKash ৳50 On account ৳50 Due ৳50 Account balance on \d+ \w+ \d{4} ৳150/)
  const html = { accept: 'text/html' }
  const listed = pageProps<{ page: { rows: { methods: string[] }[] } }>((await cashier.get('/admin/quick-orders/sales', html)).text)
  expect(listed.page.rows.slice(0, 2).map(({ methods }) => methods)).toEqual([['on_account'], ['cash', 'bkash', 'on_account']])
  const returning = pageProps<{ sale: object }>((await cashier.get(`/admin/quick-orders/return?receipt=${part.body.order_id}`, html)).text)
  const paidBy = Object.entries({ cash: 10_000, bkash: 5000, on_account: 5000 }).map(([method, amount]) => ({ method, amount }))
  expect(returning.sale).toMatchObject({ paidBy })
  for (const [wrong, field] of [
    [{ on_account: 101 }, 'on_account'],
    [{ on_account: 60, transactions: { cash: 50 }, change_amount: 0 }, 'transactions'],
    [{ on_account: 'x' }, 'on_account'],
    [{ on_account: -5, transactions: { cash: 105 } }, 'on_account'],
  ] as const) {
    const answer = await store(cashier, 1, wrong)
    expect([wrong, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([wrong, 422, [field]])
  }
  expect(await store(cashier, 4, { on_account: 400 })).toMatchObject({
    status: 422,
    body: { errors: { on_account: [expect.stringContaining('350')] } },
  })
})

it('two registers do not exceed one limit together', async () => {
  await hasAccount(500, 50, 100)
  const tries = Array.from({ length: 8 }, (_, n) => store(n % 2 ? cashier : second, 1, { on_account: 100 }))
  const answers = await Promise.all(tries)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422])
  expect(await account()).toEqual({ limit: 500, owed: 450, left: 50 })
})

it('a repeated key is one sale on account', async () => {
  await hasAccount(500, 450)
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => store(cashier, 1, { transactions: { cash: 60 }, change_amount: 0, on_account: 40 }, key)),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  expect(await account()).toMatchObject({ owed: 490 })
})

it('a payment goes to the oldest sales, once for its key, and never beyond what is due', async () => {
  await hasAccount(500, 50, 100, 100, 100, 100, 40)
  const [key, otherKey] = [crypto.randomUUID(), crypto.randomUUID()]
  expect(await pay(490.01)).toMatchObject({ status: 422, body: { errors: { amount: [expect.stringContaining('490')] } } })
  for (const wrong of [0, -1, 'x', null, 1e15]) expect([wrong, (await pay(wrong)).status]).toEqual([wrong, 422])
  expect((await pay(10, { method: 'nagad' })).body.errors).toHaveProperty('method')
  expect((await pay(10, { method: 'gold' })).status).toBe(422)
  expect((await pay(100, { received: 90 })).body.errors).toHaveProperty('received')
  expect((await pay(100, {}, { who: manager })).status).toBe(409)
  expect((await pay(100, {}, { who: sales })).status).toBe(403)
  const twice = await Promise.all([1, 2, 3].map(() => pay(120, { received: 500 }, { key })))
  expect(twice.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(twice.map(({ body }) => (body as { payment_id?: number }).payment_id)).size).toBe(1)
  expect(await dues()).toEqual([0, 30, 100, 100, 100, 40])
  expect((await pay(121, {}, { key })).status).toBe(409)
  // The answer was lost, and the cashier sends other inputs: the debt on the screen is that of before.
  const again = await pay(120, { owed: 490 }, { key: otherKey })
  expect([again.status, again.body]).toEqual([
    409,
    expect.objectContaining({ owed: 370, errors: { amount: [expect.stringContaining('370')] } }),
  ])
  expect(await dues()).toEqual([0, 30, 100, 100, 100, 40])
  const bank = await pay(130, { owed: 370, method: 'bank', transaction_id: `bank ${phone.slice(3, 7)} ${phone.slice(7)}` })
  expect(bank.status, bank.text).toBe(200)
  expect(await dues()).toEqual([0, 0, 0, 100, 100, 40])
  const used = await pay(10, { method: 'bank', transaction_id: `BANK${phone.slice(3)}` })
  expect(used).toMatchObject({ status: 422, body: { errors: { transaction_id: [expect.any(String)] } } })
  const { redirect } = twice[0]!.body as { redirect?: string }
  const receipt = plainText((await cashier.get(`${redirect}?lang=en`, { accept: 'text/html' })).text)
  expect(receipt).toContain('Cash ৳500 Change ৳380')
  expect(receipt).toContain('Account balance ৳370')
  const drawer = async (query: string) => {
    const page = await cashier.get(`${redirect}${query}`, { accept: 'text/html' })
    return pageProps<{ opensDrawer: boolean }>(page.text).opensDrawer
  }
  expect([await drawer('?print=1'), await drawer('')]).toEqual([true, false])
  const { now } = shop.clock
  shop.clock.now = new Date(now.getTime() + 600_000)
  expect(await drawer('?print=1')).toBe(false)
  shop.clock.now = now
})

it('concurrent payments pay what is due and no more', async () => {
  await hasAccount(500, 100, 100, 40)
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => pay(60, {}, { who: n % 2 ? cashier : second })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  expect(await account()).toMatchObject({ owed: 0, left: 500 })
})

it('a return lowers the amount due before money is paid back', async () => {
  await hasAccount(500)
  const sold = (await store(cashier, 2, { transactions: { cash: 50 }, change_amount: 0, on_account: 150 })).body.order_id!
  const back = (quantity: number, refund: object) =>
    cashier.post(`/admin/quick-orders/return/${sold}`, { lines: [{ product_id: mango.id, quantity }], refund, reason: 'Soft' })
  expect(await back(1, { cash: 100 })).toMatchObject({ status: 422, body: { refund: 0 } })
  expect((await back(1, {})).status).toBe(200)
  expect(await account()).toMatchObject({ owed: 50 })
  expect((await back(1, { cash: 50 })).status).toBe(200)
  expect(await account()).toMatchObject({ owed: 0 })
})

it('the admin receives a payment outside of the shift, and shows the statement as page, print view and CSV', async () => {
  await hasAccount(500, 100)
  const id = await customerId()
  const paid = await sales.post(`/admin/customers/${id}/payments`, { amount: 30, method: 'cash' })
  expect(paid.status, paid.text).toBe(200)
  expect((await cashier.post(`/admin/customers/${id}/payments`, { amount: 30, method: 'cash' })).status).toBe(403)
  for (const page of [`/admin/customers/${id}/statement`, `/admin/customers/${id}/statement/print`]) {
    const text = plainText((await sales.get(`${page}?from=${DAY}&to=${DAY}&lang=en`, { accept: 'text/html' })).text)
    expect(text).toContain('Opening balance ৳0')
    expect(text).toContain('Closing balance ৳70')
  }
  const file = await sales.get(`/admin/customers/${id}/statement?from=${DAY}&to=${DAY}&download=1`, { accept: 'text/html' })
  expect(file.text).toContain('"Payment"')
  const bengali = await sales.get(`/admin/customers/${id}/statement?from=${DAY}&to=${DAY}&download=1&lang=bn`, { accept: 'text/html' })
  for (const word of ['আগের বাকি', 'নগদ টাকা']) expect(bengali.text).toContain(word)
  expect(bengali.text).not.toMatch(/"(cash|bank|bkash)"|Payment|Sale|balance/)
  expect((await cashier.get(`/admin/customers/${id}/statement`, { accept: 'text/html' })).status).toBe(403)
})

it('a write-off frees the credit, and stands in the statement on its own day until it is reversed', async () => {
  await hasAccount(500, 70)
  const { id, version } = (
    await sql<{ id: number; version: number }>`select id, version from orders where customer_id = ${await customerId()}`.execute(db)
  ).rows[0]!
  const adjust = (path: string, more: object) =>
    manager.post(`/admin/orders/adjustments/${path}${id}`, { kind: 'write_off', reason: 'Small rest', ...more })
  shop.clock.now = new Date(shop.clock.now.getTime() + 1000)
  const written = await adjust('', { amount: 20, version })
  expect(written.status, written.text).toBe(200)
  expect(await account()).toEqual({ limit: 500, owed: 50, left: 450 })
  await sql`update orders set updated_at = updated_at + interval '40 days' where id = ${id}`.execute(db)
  const { rows } = await readStatement(db, await customerId(), { from: DAY, to: DAY })
  expect(rows.at(-1)).toMatchObject({ kind: 'write_off', orderId: id, amount: -2000, balance: 5000 })
  expect((await adjust('reverse/', { version: version + 1 })).status).toBe(200)
  expect(await account()).toMatchObject({ owed: 70 })
})

it('the shift closes with payments on account in the drawer, on lines of their own', async () => {
  await hasAccount(500)
  const who = await signedIn(shop, 'cashier')
  await who.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
  const before = await readDayReport(db, DAY, 'en')
  for (const sold of [{ on_account: 200 }, { on_account: 50, transactions: { bkash: 150 } }]) await store(who, 2, sold)
  await pay(120, { received: 500 }, { who })
  await pay(30, { method: 'bank', transaction_id: `BANK${phone.slice(3)}` }, { who })
  const { rows } = await sql<{ method: string; sum: number }>`select method, (sum(amount_poisha) / 100.0)::float8 as sum from ledger_entries
    where shift_id = (select id from pos_shifts where cashier_id = ${who.id}) group by 1`.execute(db)
  const of = (method: string) => rows.find((row) => row.method === method)?.sum ?? 0
  const report = await readDayReport(db, DAY, 'en')
  expect(report.on_account).toBe(before.on_account + 25_000)
  expect(report.account_payments).toBe(before.account_payments + 15_000)
  const file = await manager.get(`/admin/quick-orders/shifts?day=${DAY}&download=1`, { accept: 'text/html' })
  expect(file.text).toContain(`"Account","Sold on account",,${-report.on_account / 100}`)
  expect(file.text).toContain(`"Account","Payments received",,${report.account_payments / 100}`)
  expect([of('cash'), of('bkash'), of('bank')]).toEqual([120, 150, 30])
  const counted = { counted_cash: 1000 + of('cash'), counted_bkash: of('bkash'), counted_bank: of('bank') }
  const closed = await who.post('/admin/quick-orders/shift/close', counted)
  expect(closed.status, closed.text).toBe(200)
})

it('a merged customer keeps the debt and the limit of the one that stays', async () => {
  await hasAccount(500, 70)
  const other = await buildUser(db, { name: 'Rahima', password: null })
  await manager.post(`/admin/customers/${other.id}/credit-limit`, { credit_limit: 200, previous: 0 })
  const preview = await manager.get(`/admin/customers/${other.id}/merge?with=${phone}&lang=en`, { accept: 'text/html' })
  expect(plainText(preview.text)).toContain('What is owed on account (৳70) and the store credit (৳0) move to Rahima.')
  const merged = await manager.post(`/admin/customers/${other.id}/merge`, { other: await customerId(), orders: 1 })
  expect(merged.status, merged.text).toBe(200)
  expect(await account()).toEqual({ limit: 200, owed: 70, left: 130 })
  expect((await store(second, 2, { on_account: 200 })).status).toBe(422)
  expect((await store(second, 1, { on_account: 100 })).status).toBe(200)
  phone = other.phone
})
