import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addStaff } from '#features/auth/staff/commands.server.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { readDayReport } from '../day-report.server.ts'
import { differenceToLedger } from '../rules.ts'
import { plainText } from '../testing/plain-text.ts'

// Store credit: refunds of returns that pay for sales. One balance at two registers, and a drawer that it does not change.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const DAY = '2026-11-20'
const CODE = '403917'
const [cashier, second, manager] = await Promise.all([signedIn(shop, 'cashier'), signedIn(shop, 'cashier'), signedIn(shop, 'manager')])
await manager.post('/admin/quick-orders/code', { code: CODE })
for (const one of [cashier, second]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 100_000 })
const mango = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
const phoneOf = async (id: number) => (await db.selectFrom('users').select('phone').where('id', '=', id).executeTakeFirstOrThrow()).phone
const supervisor = { phone: await phoneOf(manager.id), code: CODE }

let phone = '01712000000'
beforeEach(async () => {
  await sql`delete from attempt_counts`.execute(db)
  phone = `0${Number(phone) + 1}`
})
afterEach(async () => {
  await expectInvariants(db)
  expect(differenceToLedger(await readDayReport(db, DAY, 'en'))).toBe(0)
  expect(shop.failures).toEqual([])
})

type Person = typeof cashier
const sell = (quantity: number, more: object = {}, { who = cashier, key }: { who?: Person; key?: string } = {}) => {
  const body = { products: [{ id: mango.id, quantity }], customer: { phone }, total: quantity * 100, transactions: {}, ...more }
  return who.post('/admin/quick-orders/store', body, key ? { headers: { 'idempotency-key': key } } : {})
}
const back = (order: number, quantity: number, refund: object, key?: string) => {
  const body = { lines: [{ product_id: mango.id, quantity }], refund, reason: 'Soft', supervisor }
  return cashier.post(`/admin/quick-orders/return/${order}`, body, key ? { headers: { 'idempotency-key': key } } : {})
}
const balance = async (of = phone) =>
  ((await cashier.get(`/api/admin/quick-orders/account?phone=${of}`)).body as { store_credit: number }).store_credit
/** Sells for cash and takes it back as store credit. */
async function giveCredit(quantity: number) {
  const sold = await sell(quantity, { transactions: { cash: quantity * 100 } })
  expect(sold.status, sold.text).toBe(200)
  const returned = await back(sold.body.order_id!, quantity, { store_credit: quantity * 100 })
  expect(returned.status, returned.text).toBe(200)
  return { order: sold.body.order_id!, returned: (returned.body as { return_id?: number }).return_id! }
}
async function drawer() {
  const { rows } = await sql<{
    cash: number
  }>`select coalesce(sum(amount_poisha), 0)::int / 100 as cash from ledger_entries where method = 'cash'`.execute(db)
  return rows[0]!.cash
}
async function moneyOf(order: number) {
  const { rows } = await sql<{ due: number; entries: string[] }>`select amount_due(o)::int as due,
    array(select kind || ' ' || method || ' ' || amount_poisha from ledger_entries where order_id = o.id order by id) as entries
    from orders o where id = ${order}`.execute(db)
  return rows[0]
}

it('refunds a cash sale as store credit; the receipt says the new balance and the drawer stays', async () => {
  const sold = await sell(3, { transactions: { cash: 300 } })
  const before = await drawer()
  const returned = await back(sold.body.order_id!, 2, { cash: 50, store_credit: 150 })
  expect(returned.status, returned.text).toBe(200)
  expect(await drawer()).toBe(before - 50)
  expect(await balance()).toBe(150)
  const report = await manager.get('/admin/reports', { accept: 'text/html' })
  expect(pageProps<{ balances: { credit: object } }>(report.text).balances.credit).toEqual({ count: 1, poisha: 15_000 })
  const receipt = await cashier.get((returned.body as { redirect?: string }).redirect + '?lang=en', { accept: 'text/html' })
  expect(plainText(receipt.text)).toContain('Store credit ৳150 Store credit left ৳150')
  expect((await back(sold.body.order_id!, 1, { store_credit: 100 })).status).toBe(200)
  expect(await moneyOf(sold.body.order_id!)).toMatchObject({ due: 0 })
  expect(await balance()).toBe(250)
})

it('pays with store credit, cash and change; sums are exact', async () => {
  await giveCredit(2)
  const before = await drawer()
  const paid = { transactions: { cash: 500 }, change_amount: 350, store_credit: 150 }
  const sold = await sell(3, paid)
  expect(sold.status, sold.text).toBe(200)
  expect(await drawer()).toBe(before + 150)
  expect(await balance()).toBe(50)
  expect(await moneyOf(sold.body.order_id!)).toEqual({ due: 0, entries: ['counter cash 15000', 'counter store_credit 15000'] })
  const receipt = await cashier.get(`/admin/quick-orders/pos-invoice/${sold.body.order_id}?lang=en`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toMatch(/Store credit ৳150.*Store credit left ৳50/)
  const whole = await sell(0.5, { store_credit: 50, total: 50 })
  expect(whole.status, whole.text).toBe(200)
  expect(await balance()).toBe(0)
})

it('two registers cannot spend one credit twice', async () => {
  await giveCredit(1)
  const answers = await Promise.all([cashier, second, cashier, second].map((who) => sell(1, { store_credit: 100 }, { who })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  for (const { status, body } of answers) if (status === 422) expect(body.errors).toHaveProperty('store_credit')
  expect(await balance()).toBe(0)
})

it('the database itself keeps the balance above zero', async () => {
  const { order } = await giveCredit(1)
  const { id } = await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()
  const write = sql`insert into store_credit_entries (customer_id, amount_poisha, order_id, actor_id, at)
    values (${id}, -10001, ${order}, ${cashier.id}, now())`.execute(db)
  await expect(write).rejects.toThrow('store_credit_not_below_zero')
})

it('a repeated key counts once, for the sale and for the return', async () => {
  await giveCredit(2)
  const sales = await Promise.all([1, 2, 3].map(() => sell(1, { store_credit: 100 }, { key: 'credit-sale-1' })))
  expect(new Set(sales.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  expect(await balance()).toBe(100)
  const order = sales[0]!.body.order_id!
  const returns = await Promise.all([1, 2].map(() => back(order, 1, { store_credit: 100 }, 'credit-return-1')))
  expect(returns.map(({ status }) => status)).toEqual([200, 200])
  expect(await balance()).toBe(200)
})

it('rejects wrong and huge amounts, customers without credit, staff and walk-in sales at the field', async () => {
  await giveCredit(1)
  for (const wrong of [-1, 'x', 1e15, {}, true]) expect([wrong, (await sell(1, { store_credit: wrong })).status]).toEqual([wrong, 422])
  expect((await sell(1, { store_credit: 100.01 })).body.errors).toHaveProperty('store_credit')
  expect((await sell(2, { store_credit: 101, transactions: { cash: 99 } })).body.errors).toEqual({
    store_credit: [expect.stringContaining('100')],
  })
  for (const of of ['01799999999', supervisor.phone])
    expect((await sell(1, { store_credit: 100, customer: { phone: of } })).body.errors).toHaveProperty('store_credit')
  const sold = (await sell(2, { transactions: { cash: 200 } })).body.order_id!
  for (const refund of [{ store_credit: 201 }, { store_credit: 100.5 }, { cash: 100, store_credit: 100 }, { store_credit: -100 }])
    expect([refund, (await back(sold, 1, refund)).status]).toEqual([refund, 422])
  expect(await balance()).toBe(100)
  const toStaff = await sell(1, { transactions: { cash: 100 }, customer: { phone: supervisor.phone } })
  expect(toStaff.status, toStaff.text).toBe(200)
  expect((await back(toStaff.body.order_id!, 1, { store_credit: 100 })).body.errors).toHaveProperty('refund.store_credit')
})

it('a walk-in sale neither pays nor is refunded with store credit', async () => {
  await sql`insert into settings (key, value) values ('walk_in_sales', 'true') on conflict (key) do update set value = excluded.value`.execute(
    db,
  )
  const customer = { phone: '', name: '', email: '', walk_in: true }
  await expect.poll(async () => (await sell(1, { customer, transactions: { cash: 100 } })).status).toBe(200)
  expect((await sell(1, { customer, store_credit: 100 })).body.errors).toHaveProperty('store_credit')
  const sold = (await sell(1, { customer, transactions: { cash: 100 } })).body.order_id!
  expect((await back(sold, 1, { store_credit: 100 })).body.errors).toHaveProperty('refund.store_credit')
  expect((await back(sold, 1, { cash: 100 })).status).toBe(200)
})

it('what was paid with store credit comes back as store credit', async () => {
  await giveCredit(1)
  const order = (await sell(3, { transactions: { cash: 200 }, store_credit: 100 })).body.order_id!
  expect((await back(order, 3, { cash: 300 })).body.errors).toEqual({ 'refund.store_credit': [expect.stringContaining('100')] })
  expect((await back(order, 2, { cash: 200 })).status).toBe(200)
  expect((await back(order, 1, { cash: 100 })).body.errors).toHaveProperty('refund.store_credit')
  expect((await back(order, 1, { store_credit: 100 })).status).toBe(200)
  expect(await balance()).toBe(100)
  expect(await moneyOf(order)).toMatchObject({ due: 0 })
})

it('what a customer who has become staff paid with store credit comes back in money', async () => {
  await giveCredit(1)
  const order = (await sell(1, { store_credit: 100 })).body.order_id!
  const owner = { kind: 'staff', id: manager.id, ip: '' } as const
  expect(await addStaff(db, owner, { name: 'Rahima', phone, role: 'weigher' }, shop.clock.now)).toMatchObject({ ok: true })
  expect((await back(order, 1, { store_credit: 100 })).body.errors).toHaveProperty('refund.store_credit')
  const returned = await back(order, 1, { cash: 100 })
  expect(returned.status, returned.text).toBe(200)
  expect(await moneyOf(order)).toMatchObject({ due: 0 })
})

it('a sale of an erased customer comes back in money: no store credit is left on a closed account', async () => {
  const bought = (await sell(2, { transactions: { cash: 200 } })).body.order_id!
  await giveCredit(1)
  const order = (await sell(1, { store_credit: 100 })).body.order_id!
  expect(await erasePerson(db, (await findPerson(db, phone))!, shop.clock.now)).toMatchObject({ ok: true })
  for (const sale of [bought, order]) {
    expect((await back(sale, 1, { store_credit: 100 })).body.errors).toHaveProperty('refund.store_credit')
    const returned = await back(sale, 1, { cash: 100 })
    expect(returned.status, returned.text).toBe(200)
    expect(await moneyOf(sale)).toMatchObject({ due: 0 })
  }
})

it('a return without a receipt gives store credit to a new customer', async () => {
  const body = { lines: [{ product_id: mango.id, quantity: 2, price: 100 }], phone, reason: 'Sour', supervisor }
  const done = await cashier.post('/admin/quick-orders/return-without-receipt', { ...body, refund: { store_credit: 200 } })
  expect(done.status, done.text).toBe(200)
  expect(await balance()).toBe(200)
  const staff = { ...body, phone: supervisor.phone, refund: { store_credit: 200 } }
  expect((await cashier.post('/admin/quick-orders/return-without-receipt', staff)).body.errors).toHaveProperty('refund.store_credit')
  expect((await sell(2, { store_credit: 200 })).status).toBe(200)
})

it('merging moves the entries; pages show the balance; reports have lines of their own', async () => {
  await giveCredit(2)
  const other = phone
  const idOf = async (of: string) => (await db.selectFrom('users').select('id').where('phone', '=', of).executeTakeFirstOrThrow()).id
  phone = `0${Number(phone) + 1}`
  await giveCredit(1)
  const sales = await signedIn(shop, 'sales')
  const body = { other: await idOf(other), orders: 1 }
  expect((await sales.post(`/admin/customers/${await idOf(phone)}/merge`, body)).status).toBe(403)
  const { name } = await db.selectFrom('users').select('name').where('phone', '=', other).executeTakeFirstOrThrow()
  const details = { name, email: '' }
  const moved = { ...details, phone: '01999999993', previous: { ...details, phone: other } }
  expect((await sales.post(`/admin/customers/${await idOf(other)}/details`, moved)).status).toBe(403)
  const preview = await manager.get(`/admin/customers/${await idOf(phone)}/merge?with=${other}&lang=en`, { accept: 'text/html' })
  expect(plainText(preview.text)).toContain('What is owed on account (৳0) and the store credit (৳200) move to')
  const merged = await manager.post(`/admin/customers/${await idOf(phone)}/merge`, body)
  expect(merged.status, merged.text).toBe(200)
  expect([await balance(), await balance(other)]).toEqual([300, 300])
  for (const page of ['', '/statement', '/statement/print']) {
    const shown = await manager.get(`/admin/customers/${await idOf(phone)}${page}?lang=en`, { accept: 'text/html' })
    expect([page, plainText(shown.text)]).toEqual([page, expect.stringContaining('Store credit: ৳300')])
  }
  const report = await readDayReport(db, DAY, 'en')
  expect(report.store_credit.issued).toBeGreaterThan(30_000)
  const file = await manager.get(`/admin/quick-orders/shifts?day=${DAY}&download=1`, { accept: 'text/html' })
  expect(file.text).toContain(`"Store credit","Refunded",,${report.store_credit.issued / 100}`)
  const closed = await second.post('/admin/quick-orders/shift/close', { counted_cash: 100_000, counted_bkash: 0, counted_bank: 0 })
  expect(closed.status, closed.text).toBe(200)
})
