import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { DayReport } from './day-report.server.ts'
import type { ShiftReport } from './shift-queries.server.ts'
import { plainText } from './testing/plain-text.ts'

// X report of an open shift; Z report of a closed one, numbered without a gap.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T06:50:00Z')
const cashiers = await Promise.all(Array.from({ length: 5 }, () => signedIn(shop, 'cashier')))
const [manager, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'viewer')]
const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 12_300 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

type Visitor = typeof manager
type Props = { shift: ShiftReport; report: DayReport | null }
const html = { accept: 'text/html' }
const ids = new Map<Visitor, number>()
for (const [at, who] of cashiers.entries()) {
  const opened = await who.post('/admin/quick-orders/shift/open', { opening_cash: 100, register: `R${at}` })
  ids.set(who, (opened.body as { shift_id?: number }).shift_id!)
  const sale = { products: [{ id: honey.id, quantity: 1 }], transactions: { cash: 123 }, total: 123, customer: { phone: '01712345678' } }
  for (let n = 0; n <= at; n++) expect((await who.post('/admin/quick-orders/store', sale)).status).toBe(200)
}
const open = (who: Visitor, id: unknown, more = '') => who.get(`/admin/quick-orders/shift-report/${String(id)}?lang=en${more}`, html)
const close = (who: Visitor, cash: number) =>
  who.post('/admin/quick-orders/shift/close', { counted_cash: cash, counted_bkash: 0, counted_bank: 0 })
const lookUp = (who: Visitor, z: string) => who.get(`/admin/quick-orders/shifts?z=${encodeURIComponent(z)}`, html)
const [first, second] = cashiers as [Visitor, Visitor]

it('an open shift has an X report, of its own sales only', async () => {
  const page = await open(manager, ids.get(second))
  const { shift, report } = pageProps<Props>(page.text)
  expect(shift).toMatchObject({ z_number: null, register: 'R1', sales: 2 })
  expect(report).toMatchObject({ sales: 2, total: 24_600 })
  expect(plainText(page.text)).toContain('X report')
  expect(plainText(page.text)).toContain('Counter: R1')
  expect((await open(viewer, ids.get(second), '&print=1')).status).toBe(200)
})

it('the drawer opened without a sale is logged and counted in the report, of an own open shift only', async () => {
  const openDrawer = (who: Visitor) => who.post('/admin/quick-orders/shift/open-drawer', {})
  expect(plainText((await open(manager, ids.get(second))).text)).not.toContain('Drawer opened')
  expect([(await openDrawer(second)).status, (await openDrawer(second)).status]).toEqual([200, 200])
  expect([(await openDrawer(manager)).status, (await openDrawer(viewer)).status]).toEqual([409, 403])
  for (const who of [manager, second])
    expect(plainText((await open(who, ids.get(second))).text)).toContain('Drawer opened without a sale 2')
  expect(plainText((await open(manager, ids.get(first))).text)).not.toContain('Drawer opened')
  const log = await manager.get('/admin/audit?lang=en', html)
  expect(plainText(log.text)).toContain('Drawer opened without a sale')
})

it('a cashier opens own reports only, without sums', async () => {
  const own = await open(first, ids.get(first))
  expect(pageProps<Props>(own.text)).toMatchObject({ report: null, shift: { methods: [{ expected: null }, {}, {}] } })
  // Without the random tokens of the page.
  const shown = (text: string) => plainText(text) + JSON.stringify(pageProps<Props>(text))
  const expected = /223|Expected/
  expect(shown(own.text)).not.toMatch(expected)
  expect(shown((await open(manager, ids.get(first))).text)).toMatch(expected)
  expect((await open(first, ids.get(second))).status).toBe(404)
})

it('shifts that close at once get the next numbers, each once and without a gap', async () => {
  expect((await close(first, 223)).status).toBe(200)
  const answers = await Promise.all(
    cashiers.slice(1).flatMap((who, at) => [close(who, 100 + 123 * (at + 2)), close(who, 100 + 123 * (at + 2))]),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409])
  const rows = await db.selectFrom('pos_shifts').select(['id', 'z_number']).orderBy('z_number').execute()
  expect(rows.map(({ z_number }) => z_number)).toEqual([1, 2, 3, 4, 5])
  expect(rows[0]!.id).toBe(ids.get(first))
  expect(plainText((await open(manager, ids.get(first))).text)).toContain('Z report 1')
})

it('is found by its number in both scripts, by cashiers only if it is theirs', async () => {
  const { id } = await db.selectFrom('pos_shifts').select('id').where('z_number', '=', 2).executeTakeFirstOrThrow()
  for (const z of ['2', ' 2 ', bengaliDigits('2')]) {
    const found = await lookUp(manager, z)
    expect([z, found.status, found.headers.location]).toEqual([z, 303, `/admin/quick-orders/shift-report/${id}`])
  }
  expect((await lookUp(first, '1')).headers.location).toBe(`/admin/quick-orders/shift-report/${ids.get(first)}`)
  for (const [who, z] of [
    [first, '2'],
    [manager, '99'],
    [manager, '0'],
    [manager, '-1'],
    [manager, 'x'],
    [manager, '9'.repeat(400)],
    [manager, "1'; drop"],
  ] as const) {
    const page = await lookUp(who, z)
    expect([z, page.status]).toEqual([z, 200])
    expect(plainText(page.text)).toMatch(/No Z report with this number|এই নম্বরের কোনো/)
  }
})

it.each(['0', '999999', 'x', '1e9', '9'.repeat(30)])('the report %s is not there', async (id) => {
  expect((await open(manager, id)).status).toBe(404)
})

it.each(['sales', 'weigher', 'customer'] as const)('a %s opens none', async (role) => {
  const who = await signedIn(shop, role)
  expect((await open(who, ids.get(first))).status).toBe(403)
})
