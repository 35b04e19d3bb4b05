import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { plainText } from './testing/plain-text.ts'

// A return without a receipt: always approved, at most at today's price, and in the drawer and the report of its shift.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const CODE = '403917'
const [manager, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'viewer')]
await manager.post('/admin/quick-orders/code', { code: CODE })
const { rows } = await sql<{ phone: string }>`select phone from users where id = ${manager.id}`.execute(db)
const supervisor = { phone: rows[0]!.phone, code: CODE }

let before = new Map<number, number>()
let honey: { id: number }
let cashier: Awaited<ReturnType<typeof signedIn>>
beforeEach(async () => {
  await sql`delete from attempt_counts`.execute(db)
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 5000, price_poisha: 12_000 })
  before = await countStock(db)
  cashier = await signedIn(shop, 'cashier')
  await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 500 })
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const line = (more: object = {}) => ({ product_id: honey.id, quantity: 2, price: 120, ...more })
const body = (more: object = {}) => ({ lines: [line()], phone: '01712345678', reason: 'Sour', refund: { cash: 240 }, supervisor, ...more })
const back = (sent: object, { who = cashier, key }: { who?: typeof cashier; key?: string } = {}) =>
  who.post('/admin/quick-orders/return-without-receipt', sent, key ? { headers: { 'idempotency-key': key } } : {})
const count = async () => (await sql<{ n: number }>`select count(*)::int as n from pos_returns`.execute(db)).rows[0]!.n

it('records products, money, approver and log, and prints', async () => {
  const done = await back(
    body({
      lines: [
        line(),
        {
          ...line(),
          product_id: (await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 8000 })).id,
          price: 40,
          quantity: '0.5',
          spoiled: true,
        },
      ],
      refund: { cash: 200, bkash: 60 },
    }),
  )
  expect(done.status, done.text).toBe(200)
  const id = (done.body as { return_id?: number }).return_id!
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 7 })
  const { rows: entries } =
    await sql`select kind, method, amount_poisha::int as amount, order_id, shift_id is not null as in_shift from ledger_entries
    where return_id = ${id} order by id`.execute(db)
  expect(entries).toEqual([
    { kind: 'refund', method: 'cash', amount: -20_000, order_id: null, in_shift: true },
    { kind: 'refund', method: 'bkash', amount: -6000, order_id: null, in_shift: true },
  ])
  const { rows: returns } =
    await sql`select order_id, phone, approved_by, refund_poisha::int as refund from pos_returns where id = ${id}`.execute(db)
  expect(returns).toEqual([{ order_id: null, phone: '01712345678', approved_by: manager.id, refund: 26_000 }])
  const { rows: log } = await sql<{
    after: { without_receipt: boolean }
  }>`select after from audit_log where action = 'refunded' and subject = 'shift'`.execute(db)
  expect(log[0]!.after).toMatchObject({ without_receipt: true, phone: '01712345678', refund: 260 })
  const receipt = await cashier.get(`/admin/quick-orders/return-receipts/${id}`, { accept: 'text/html' })
  expect(plainText(receipt.text)).toMatch(/Return \d+ without a receipt.*৳240.*৳260.*bKash ৳60/)
  const report = await manager.get('/admin/quick-orders/shifts', { accept: 'text/html' })
  expect(plainText(report.text)).toMatch(/Returns without a receipt .*01712345678 · Sour/)
  expect(report.text).toContain('data-ledger="0"')
  const closing = await cashier.get('/admin/quick-orders/close', { accept: 'text/html' })
  expect(plainText(closing.text)).toContain(`Return ${id}`)
})

it('does not sell spoiled products again', async () => {
  const done = await back(body({ lines: [line({ spoiled: true })] }))
  expect(done.status, done.text).toBe(200)
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 5 })
})

it('rounds its cash where the shop does', async () => {
  await sql`insert into settings (key, value) values ('cash_rounding', 'true')`.execute(db)
  const page = async () => (await cashier.get('/admin/quick-orders/return-without-receipt', { accept: 'text/html' })).text
  await expect.poll(async () => pageProps<{ roundsCash: boolean }>(await page()).roundsCash).toBe(true)
  const part = { lines: [line({ quantity: 0.69 })] }
  expect((await back(body({ ...part, refund: { cash: 82.8 } }))).status).toBe(422)
  const done = await back(body({ ...part, refund: { cash: 83 } }))
  expect(done.status, done.text).toBe(200)
  const report = await manager.get('/admin/quick-orders/shifts', { accept: 'text/html' })
  expect(report.text).toContain('data-ledger="0"')
  await sql`delete from settings where key = 'cash_rounding'`.execute(db)
  await expect.poll(async () => pageProps<{ roundsCash: boolean }>(await page()).roundsCash).toBe(false)
})

it('brings a sold-out product back on sale', async () => {
  const gone = await buildProduct(db, { unit: 'piece', stock_milli: 0, status: 'out-of-stock', price_poisha: 5000 })
  before = await countStock(db)
  const done = await back(body({ lines: [{ product_id: gone.id, quantity: 2, price: 50 }], refund: { cash: 100 } }))
  expect(done.status, done.text).toBe(200)
  expect(await stockOf(db, gone.id)).toEqual({ left: 2, status: 'in-stock' })
})

it('rejects everything else and writes nothing', async () => {
  const cow = await buildAnimal(db)
  const hen = await buildProduct(db, { unit: 'piece', stock_milli: null, price_poisha: 100 })
  before = await countStock(db)
  const state = await count()
  const cases: [string, object, string][] = [
    ['no supervisor', body({ supervisor: undefined }), 'supervisor'],
    ['a wrong code', body({ supervisor: { ...supervisor, code: '111222' } }), 'code'],
    ['a price above today’s', body({ lines: [line({ price: 120.01 })], refund: { cash: 240.02 } }), 'lines.0.price'],
    ['a negative price', body({ lines: [line({ price: -1 })] }), 'lines.0.price'],
    ['a price of nothing', body({ lines: [line({ price: 0 })], refund: {} }), 'lines'],
    ['an animal', body({ lines: [{ product_id: cow.id, quantity: 1, price: 1 }], refund: { cash: 1 } }), 'lines.0.product_id'],
    ['half a piece', body({ lines: [{ product_id: hen.id, quantity: 1.5, price: 1 }], refund: { cash: 1.5 } }), 'lines.0.quantity'],
    ['too many', body({ lines: [{ product_id: hen.id, quantity: 101, price: 1 }], refund: { cash: 101 } }), 'lines.0.quantity'],
    ['an unknown product', body({ lines: [line({ product_id: 999_999 })] }), 'lines.0.product_id'],
    ['a product twice', body({ lines: [line(), line()], refund: { cash: 480 } }), 'lines.1.product_id'],
    ['no lines', body({ lines: [] }), 'lines'],
    ['no phone', body({ phone: ' ' }), 'phone'],
    ['a wrong phone', body({ phone: '0171' }), 'phone'],
    ['no reason', body({ reason: ' ' }), 'reason'],
    ['another refund', body({ refund: { cash: 241 } }), 'refund'],
    ['more than the drawer has', body({ lines: [line({ quantity: 5 })], refund: { cash: 600 } }), 'refund.cash'],
    ['more than a return may be', body({ lines: [line({ quantity: 100 })], refund: { bank: 12_000 }, order_id: 1 }), ''],
  ]
  for (const [name, sent, field] of cases) {
    const answer = await back(sent)
    expect([name, answer.status], answer.text).toEqual([name, 422])
    if (field !== '') expect([name, Object.keys(answer.body.errors ?? {})]).toEqual([name, [field]])
  }
  expect((await back(body(), { who: viewer })).status).toBe(403)
  expect((await back(body(), { who: manager })).status).toBe(409)
  expect(await count()).toBe(state)
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 5 })
})

it('counts a key once, also when pressed at once', async () => {
  const key = crypto.randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => back(body(), { key })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map((answer) => answer.body.redirect)).size).toBe(1)
  // Those that recorded nothing say when it was recorded.
  expect(answers.filter(({ body }) => 'recorded_at' in body)).toHaveLength(2)
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 7 })
  expect((await back(body({ reason: 'Other' }), { key })).status).toBe(409)
})

it('takes no more cash than the drawer has in concurrent returns', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => back(body())))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
})
