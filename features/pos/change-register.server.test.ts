import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { drawersOf } from './drawer-rules.ts'
import { listRegisterRecords } from './registers.server.ts'
import { differenceToLedger } from './rules.ts'
import type { DayReport } from './day-report.server.ts'
import type { SaleRow } from './sales-list.server.ts'
import type { ShiftReport } from './shift-queries.server.ts'
import { plainText } from './testing/plain-text.ts'

// Managers rename registers and switch them off; shifts, sales and the report of a day are filtered by register, each with its drawer.

const { db, url, reset } = await testDb()
const shop = await openShop({ databaseUrl: url })
type Visitor = Awaited<ReturnType<typeof signedIn>>
let [cashier, other, manager, viewer]: Visitor[] = []
beforeEach(async () => {
  await reset()
  ;[cashier, other, manager, viewer] = await Promise.all(
    (['cashier', 'cashier', 'manager', 'viewer'] as const).map((role) => signedIn(shop, role)),
  )
})
afterEach(() => expect(shop.failures).toEqual([]))

const html = { accept: 'text/html' }
const open = (who: Visitor, register: string, cash: number = 500) =>
  who.post('/admin/quick-orders/shift/open', { opening_cash: cash, register })
const close = (who: Visitor, cash: number, more: object = {}) =>
  who.post('/admin/quick-orders/shift/close', { counted_cash: cash, counted_bkash: 0, counted_bank: 0, ...more })
const records = () => listRegisterRecords(db)
const change = (who: Pick<Visitor, 'post'>, id: number, form: object) => who.post(`/admin/quick-orders/registers/${id}`, form)

test('a rename keeps the names of earlier shifts; a device that stored the old name is told the new one', async () => {
  expect((await open(cashier!, 'Front')).body).toMatchObject({ register: 'Front', register_id: expect.any(Number) })
  const [front] = await records()
  expect((await change(manager!, front!.id, { name: ' Gate ', active: true, version: front!.version })).status).toBe(200)
  const page = await other!.get('/admin/quick-orders', html)
  expect(pageProps<{ registers: object[] }>(page.text).registers).toMatchObject([{ id: front!.id, name: 'Gate' }])
  expect((await close(cashier!, 500)).status).toBe(200)
  expect((await open(cashier!, 'gate')).body).toMatchObject({ register: 'Gate', register_id: front!.id })
  const { rows } = await sql`select register, register_id from pos_shifts order by id`.execute(db)
  expect(rows).toEqual([
    { register: 'Front', register_id: front!.id },
    { register: 'Gate', register_id: front!.id },
  ])
  const { rows: log } = await sql`select before, after from audit_log where subject = 'register'`.execute(db)
  expect(log).toEqual([{ before: { name: 'Front' }, after: { name: 'Gate' } }])
})

test('a register is switched off only without an open shift; then no shift opens there', async () => {
  await open(cashier!, 'Front')
  const [front] = await records()
  const off = { name: 'Front', active: false, version: 1 }
  expect(await change(manager!, front!.id, off)).toMatchObject({ status: 422, body: { errors: { active: [expect.any(String)] } } })
  expect(await records()).toMatchObject([{ active: true, version: 1 }])
  await close(cashier!, 500)
  expect((await change(manager!, front!.id, off)).status).toBe(200)
  expect(await open(other!, 'FRONT')).toMatchObject({ status: 422, body: { errors: { register: [expect.any(String)] } } })
  expect(pageProps<{ registers: object[] }>((await other!.get('/admin/quick-orders', html)).text).registers).toEqual([])
  expect((await change(manager!, front!.id, { ...off, active: true, version: 2 })).status).toBe(200)
  expect((await open(other!, 'Front')).status).toBe(200)
})

test('of a shift that opens and a switch-off at the same moment one gives way', async () => {
  for (let round = 0; round < 5; round++) {
    await open(cashier!, `Desk ${round}`)
    await close(cashier!, 500)
    const desk = (await records()).find(({ name }) => name === `Desk ${round}`)!
    const [opened, switched] = await Promise.all([
      open(other!, desk.name),
      change(manager!, desk.id, { name: desk.name, active: false, version: desk.version }),
    ])
    expect([opened.status, switched.status].toSorted((a, b) => a - b)).toEqual([200, 422])
    if (opened.status === 200) await close(other!, 500)
  }
})

test('rejects other roles, names and versions', async () => {
  await open(cashier!, 'Front')
  await open(other!, 'Back')
  const [back, front] = await records()
  const form = { name: 'Front', active: true, version: 1 }
  for (const who of [cashier!, viewer!]) expect((await change(who, front!.id, form)).status).toBe(403)
  expect((await change(shop.visitor(), front!.id, form)).status).not.toBe(200)
  for (const wrong of [{ name: '' }, { name: ' ' }, { name: 'x'.repeat(41) }, { name: 7 }, { active: 'no' }, { version: 0 }, { extra: 1 }])
    expect([wrong, (await change(manager!, front!.id, { ...form, ...wrong })).status]).toEqual([wrong, 422])
  expect(await change(manager!, back!.id, { ...form, name: 'fRONT' })).toMatchObject({
    status: 422,
    body: { errors: { name: [expect.any(String)] } },
  })
  expect((await change(manager!, front!.id, { ...form, version: 9 })).status).toBe(409)
  expect((await change(manager!, 987_654, form)).status).toBe(404)
  const twice = await Promise.all(['A', 'B'].map((name) => change(manager!, front!.id, { ...form, name })))
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  for (const [who, status] of [
    [manager!, 200],
    [cashier!, 403],
    [viewer!, 403],
  ] as const) {
    expect((await who.get('/admin/quick-orders/registers', html)).status).toBe(status)
    expect((await who.get(`/admin/quick-orders/registers/${front!.id}`, html)).status).toBe(status)
  }
  for (const id of ['0', 'x', '987654', '1e9']) expect((await manager!.get(`/admin/quick-orders/registers/${id}`, html)).status).toBe(404)
})

test('shifts, sales and reports of one register; its drawer adds up over the day', async () => {
  const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
  const sell = (who: Visitor, transactions: object = { cash: 100 }) =>
    who.post('/admin/quick-orders/store', {
      products: [{ id: honey.id, quantity: 1 }],
      customer: { phone: '01712345678' },
      transactions,
      total: 100,
    })
  const cash = (who: Visitor, direction: string, amount: number) =>
    who.post('/admin/quick-orders/shift/cash', { direction, amount, reason: 'Tea' })
  await open(cashier!, 'Front', 500)
  await open(other!, 'Back', 50)
  const sold = await sell(cashier!)
  await sell(other!)
  await sell(other!, { bkash: 100 })
  await cash(cashier!, 'in', 20)
  await cash(cashier!, 'out', 15)
  const back = await cashier!.post(`/admin/quick-orders/return/${sold.body.order_id}`, {
    lines: [{ product_id: honey.id, quantity: 0.4 }],
    refund: { cash: 40 },
    reason: 'Soft',
  })
  expect(back.status, back.text).toBe(200)
  // 500 + 100 + 20 − 15 − 40 = 565; ten short.
  expect((await close(cashier!, 555, { note: 'Ten short' })).status).toBe(200)
  await open(cashier!, 'Front', 600)
  await sell(cashier!)

  const [backDesk, front] = await records()
  type Day = { shifts: ShiftReport[]; report: DayReport }
  const day = async (query: string, who = manager!) => pageProps<Day>((await who.get(`/admin/quick-orders/shifts?${query}`, html)).text)
  const atFront = await day(`register=${front!.id}`)
  expect(atFront.shifts.map(({ register }) => register)).toEqual(['Front', 'Front'])
  expect(atFront.report).toMatchObject({ sales: 2, total: 20_000, refunds: 4000 })
  expect(differenceToLedger(atFront.report)).toBe(0)
  expect((await day(`register=${backDesk!.id}`)).report).toMatchObject({ sales: 2, total: 20_000 })
  for (const query of ['', 'register=', 'register=x', 'register=99999']) expect((await day(query)).shifts).toHaveLength(3)

  const { rows: ledger } = await sql<{ cash: number }>`select coalesce(sum(amount_poisha), 0)::int as cash from ledger_entries e
    join pos_shifts s on s.id = e.shift_id where s.register_id = ${front!.id} and e.method = 'cash'`.execute(db)
  const [drawer] = drawersOf(atFront.shifts)
  expect(drawer!.day).toEqual({
    between: 4500,
    opening: 50_000,
    sales: 20_000,
    accountPayments: 0,
    cashIn: 2000,
    cashOut: 1500,
    refunds: 4000,
    expected: 70_000,
    counted: null,
    difference: -1000,
  })
  expect(drawer!.day.sales - drawer!.day.refunds).toBe(ledger[0]!.cash)
  expect(drawersOf((await day('')).shifts).map(({ register }) => register?.name)).toEqual(['Back', 'Front'])
  const file = (await manager!.get(`/admin/quick-orders/shifts?register=${front!.id}&download=1`, html)).text
  const drawerRows = file.split('\r\n').filter((line) => line.startsWith('"Drawer","Front '))
  expect(drawerRows).toEqual(
    [
      ['changed between shifts', 45],
      ['opening cash', 500],
      ['cash sales', 200],
      ['payments on account', 0],
      ['cash in', 20],
      ['cash out', -15],
      ['refunds', -40],
      ['expected', 700],
      ['counted', ''],
      ['difference', -10],
    ].map(([what, amount]) => `"Drawer","Front ${what}",,${amount}`),
  )
  expect(file.split('\r\n').filter((line) => line.startsWith('"Drawer","Front: '))).toHaveLength(20)
  const text = plainText((await manager!.get(`/admin/quick-orders/day-report?register=${front!.id}&lang=en`, html)).text)
  expect(text).toContain('Counter: Front')
  expect(text).not.toContain('Counter: Back')

  const sales = async (query: string) =>
    pageProps<{ page: KeysetPage<SaleRow> }>((await manager!.get(`/admin/quick-orders/sales?${query}`, html)).text).page.rows.length
  expect([await sales(''), await sales(`register=${front!.id}`), await sales(`register=${backDesk!.id}`)]).toEqual([4, 2, 2])
})

test('a shift that only refunded by other methods counts what the ledger says, below zero', async () => {
  const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
  await sql`insert into settings (key, value) values ('pos_methods', '{"nagad":true,"rocket":false,"card":false}')`.execute(db)
  await expect
    .poll(async () => pageProps<{ methods: string[] }>((await cashier!.get('/admin/quick-orders', html)).text).methods)
    .toEqual(['nagad'])
  await open(cashier!, 'Front')
  const sale = { products: [{ id: honey.id, quantity: 1 }], customer: { phone: '01712345678' }, transactions: { cash: 100 }, total: 100 }
  const sold = await cashier!.post('/admin/quick-orders/store', sale)
  await close(cashier!, 600)
  await open(cashier!, 'Front')
  const refund = { bkash: 30, nagad: 20 }
  const lines = [{ product_id: honey.id, quantity: 0.5 }]
  const back = await cashier!.post(`/admin/quick-orders/return/${sold.body.order_id}`, { lines, refund, reason: 'Soft' })
  expect(back.status, back.text).toBe(200)
  expect(await close(cashier!, 500)).toMatchObject({ status: 422, body: { errors: { note: [expect.any(String)] } } })
  expect((await close(cashier!, -1)).body.errors).toHaveProperty('counted_cash')
  for (const wrong of ['x', '--30', 1e15, null]) expect((await close(cashier!, 500, { counted_bkash: wrong })).status).toBe(422)
  const closed = await close(cashier!, 500, { counted_bkash: '−৩০', counted_nagad: -20 })
  expect(closed.status, closed.text).toBe(200)
  const page = await manager!.get('/admin/quick-orders/shifts', html)
  const { shifts } = pageProps<{ shifts: ShiftReport[] }>(page.text)
  expect(shifts.at(-1)!.methods).toMatchObject([
    { method: 'cash', expected: 500, counted: 500 },
    { method: 'bkash', expected: -30, counted: -30 },
    { method: 'bank', expected: 0, counted: 0 },
    { method: 'nagad', expected: -20, counted: -20 },
  ])
})

test('opening cash is compared with the last count of the drawer: of the day before, and of a cashier whose shifts are not shown', async () => {
  await sql`insert into settings (key, value) values ('blind_count', 'false')`.execute(db)
  await open(cashier!, 'Front', 500)
  await close(cashier!, 500)
  await sql`update pos_shifts set opened_at = opened_at - interval '1 day', closed_at = closed_at - interval '1 day'`.execute(db)
  // 200 are missing in the morning. Then two cashiers hand over what they counted, and 30 come from elsewhere.
  await open(cashier!, 'Front', 300)
  await close(cashier!, 300)
  await open(other!, 'Front', 300)
  await close(other!, 260, { note: 'Tea, 40' })
  await open(cashier!, 'Front', 290)
  type Day = { shifts: ShiftReport[] }
  const day = async (who: Visitor) => drawersOf(pageProps<Day>((await who.get('/admin/quick-orders/shifts', html)).text).shifts)
  const between = async (who: Visitor) => (await day(who)).map((drawer) => [drawer.shifts.map((one) => one.between), drawer.day.between])
  expect(await between(manager!)).toEqual([[[-20_000, 0, 3000], -17_000]])
  await expect.poll(() => between(cashier!)).toEqual([[[-20_000, 3000], -17_000]])
})

test('a shift without a register is a drawer of its own, on the page, in print and in the file', async () => {
  await open(cashier!, 'Front', 500)
  await open(other!, '', 100)
  await close(other!, 70, { note: 'Thirty short' })
  type Day = { shifts: ShiftReport[] }
  const { shifts } = pageProps<Day>((await manager!.get('/admin/quick-orders/shifts', html)).text)
  expect(drawersOf(shifts).map(({ register, day }) => [register?.name, day.between, day.difference])).toEqual([
    ['Front', 0, null],
    [undefined, 0, -3000],
  ])
  for (const url of ['shifts?lang=en', 'day-report?lang=en']) {
    const text = plainText((await manager!.get(`/admin/quick-orders/${url}`, html)).text)
    expect(text).toMatch(/Without a counter .*Difference −৳30/)
  }
  const file = (await manager!.get('/admin/quick-orders/shifts?download=1&lang=en', html)).text
  expect(file).toMatch(/"Drawer","Without a counter: [^"]* difference",,-30\r/)
})
