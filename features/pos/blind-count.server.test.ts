import { afterAll, expect, it } from 'vitest'
import type { ShiftReport } from './shift-queries.server.ts'
import type { DayReport } from './day-report.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { plainText } from './testing/plain-text.ts'

// Cashiers count blind and see their own shifts only; staff with `reports.read` see everything.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const DAY = '2026-11-20'
const [cashier, other, manager, viewer, owner] = [
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'owner'),
]
const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 12_300 })
for (const [who, count] of [
  [cashier, 2],
  [other, 3],
  [manager, 1],
] as const) {
  await who.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
  const sale = { products: [{ id: honey.id, quantity: 1 }], transactions: { cash: 123 }, total: 123, customer: { phone: '01712345678' } }
  for (let n = 0; n < count; n++) expect((await who.post('/admin/quick-orders/store', sale)).status).toBe(200)
}
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

type Visitor = typeof cashier
type Props = { shifts: ShiftReport[]; report: DayReport | null }
const html = { accept: 'text/html' }
const PAGES = [`shifts?day=${DAY}`, `day-report?day=${DAY}`, `day-report?day=${DAY}&paper=a4`]
const open = (who: Visitor, path: string) => who.get(`/admin/quick-orders/${path}`, html)
const setBlind = async (isBlind: boolean) => {
  const { now } = pageProps<{ now: { values: object; settingsHash: string } }>((await owner.get('/admin/settings?part=pos', html)).text)
  const saved = await owner.post('/admin/settings/pos', { ...now.values, blind_count: isBlind, settingsHash: now.settingsHash })
  expect(saved.status, saved.text).toBe(200)
}
// 1000 + 2 × 123, in the script of the page and of the file.
const EXPECTED = /1,?246|১,২৪৬/

it('a cashier sees own shifts without expected amounts, in pages, prints and the file', async () => {
  for (const path of PAGES)
    for (const lang of ['en', 'bn']) {
      const page = await open(cashier, `${path}&lang=${lang}`)
      expect([path, page.status]).toEqual([path, 200])
      const { shifts, report } = pageProps<Props>(page.text)
      expect(report).toBeNull()
      expect(shifts).toHaveLength(1)
      expect(shifts[0]).toMatchObject({
        sales: 2,
        opening_cash: 1000,
        methods: [{ expected: null }, { expected: null }, { expected: null }],
      })
      expect(page.text).not.toMatch(EXPECTED)
      expect(plainText(page.text)).not.toMatch(/Expected|Difference|থাকার কথা/)
    }
  const file = await open(cashier, `shifts?day=${DAY}&download=1`)
  expect([file.status, file.text.match(/Shift counted/g)?.length]).toEqual([200, 3])
  expect(file.text).not.toMatch(/expected|difference|Sales|Taken|1246/)
})

it.each([
  ['manager', manager],
  ['viewer', viewer],
  ['owner', owner],
] as const)('a %s sees every shift with expected amounts, also while the setting is on', async (_, who) => {
  for (const path of PAGES) {
    const { shifts, report } = pageProps<Props>((await open(who, path)).text)
    expect(shifts.map(({ sales }) => sales)).toEqual([2, 3, 1])
    expect(shifts[0]!.methods[0]).toMatchObject({ expected: 1246 })
    expect(report?.sales).toBe(6)
  }
  const file = await open(who, `shifts?day=${DAY}&download=1`)
  expect(file.text).toContain('Shift expected')
  expect(file.text).toContain('"Sales","Total",6,738')
})

it('without the setting a cashier sees the expected amounts of own shifts only', async () => {
  await setBlind(false)
  const { shifts, report } = pageProps<Props>((await open(cashier, PAGES[0]!)).text)
  expect(shifts.map(({ methods }) => methods[0]!.expected)).toEqual([1246])
  expect(report).toMatchObject({ sales: 2, total: 24_600 })
  const wrong = await other.post('/admin/quick-orders/shift/close', { counted_cash: 1000, counted_bkash: 0, counted_bank: 0 })
  expect(wrong.body).toMatchObject({ differences: { cash: -369, bkash: 0, bank: 0 } })
  await setBlind(true)
})

it('trying how much cash can be taken out is written down', async () => {
  const move = await other.post('/admin/quick-orders/shift/cash', { direction: 'out', amount: 100_000, reason: 'How much is there' })
  expect(move.status).toBe(422)
  const log = await db.selectFrom('audit_log').select('after').where('actor_id', '=', other.id).orderBy('id', 'desc').executeTakeFirst()
  expect(log?.after).toEqual({ cash: -100_000, reason: 'How much is there', refused: true })
})

it('a wrong blind count is refused without its difference and written down; a manager is told', async () => {
  const close = (who: Visitor, counted_cash: unknown, note = '') =>
    who.post('/admin/quick-orders/shift/close', { counted_cash, counted_bkash: 0, counted_bank: 0, note })
  for (const wrong of ['', 'x', -1, '1,5', 1e15, null]) expect([wrong, (await close(cashier, wrong)).status]).toEqual([wrong, 422])
  const refused = await close(cashier, 1000)
  expect(refused).toMatchObject({ status: 422, body: { errors: { note: [expect.any(String)] } } })
  expect(refused.text).not.toMatch(/differences|246/)
  const log = await db
    .selectFrom('audit_log')
    .select('after')
    .where('subject', '=', 'shift')
    .where('actor_id', '=', cashier.id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(log?.after).toMatchObject({ closed: false, differences: { cash: -246 } })
  expect((await close(manager, 1000)).body).toMatchObject({ differences: { cash: -123 } })
  const closed = await Promise.all([close(cashier, 1000, 'A note was torn'), close(cashier, 1000, 'A note was torn')])
  expect(closed.map(({ status }) => status).sort()).toEqual([200, 409])
  const page = await open(cashier, PAGES[0]!)
  expect(pageProps<Props>(page.text).shifts[0]).toMatchObject({
    note: 'A note was torn',
    methods: [{ expected: null, counted: 1000 }, {}, {}],
  })
  expect(page.text).not.toMatch(EXPECTED)
  expect(pageProps<Props>((await open(manager, PAGES[0]!)).text).shifts[0]!.methods[0]).toEqual({
    method: 'cash',
    expected: 1246,
    counted: 1000,
  })
})

it.each(['sales', 'weigher', 'customer'] as const)('a %s opens none of it', async (role) => {
  const who = await signedIn(shop, role)
  for (const path of [...PAGES, 'close']) expect([path, (await open(who, path)).status]).toEqual([path, 403])
})
