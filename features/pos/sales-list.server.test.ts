import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { plainText } from './testing/plain-text.ts'
import type { SaleRow } from './sales-list.server.ts'

// The sales at the register: found by phone, sum and number; a cashier's own of today, or the day of everyone for managers.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T17:40:00Z')
const [cashier, other, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
const everyone = [cashier, other, manager]
const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 12_375 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

type Visitor = typeof cashier
const html = { accept: 'text/html' }
const later = (minutes: number) => (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000))
const openShift = (who: Visitor) => who.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
const closeShift = (who: Visitor) =>
  who.post('/admin/quick-orders/shift/close', { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: 'Counted' })
async function sold(who: Visitor, quantity: number, phone = '01712345678', more: object = {}): Promise<number> {
  later(0.1)
  const total = Math.round(quantity * 12_375) / 100
  const sale = { products: [{ id: honey.id, quantity }], transactions: { cash: total }, total, customer: { phone }, ...more }
  const answer = await who.post('/admin/quick-orders/store', sale)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
const list = async (who: Visitor, query = '') => {
  const page = await who.get(`/admin/quick-orders/sales?${query}`, html)
  expect([query, page.status]).toEqual([query, 200])
  return pageProps<{ page: KeysetPage<SaleRow> }>(page.text)
}
const ids = async (who: Visitor, query = '') => (await list(who, query)).page.rows.map(({ id }) => id)
const q = (text: string) => `q=${encodeURIComponent(text)}`

for (const who of everyone) await openShift(who)
const yesterday = await sold(other, 1, '01811111111')
for (const who of everyone) await closeShift(who)
// After midnight in Dhaka.
shop.clock.now = new Date('2026-11-20T18:05:00Z')
for (const who of everyone) await openShift(who)
const [first, second] = [await sold(cashier, 1), await sold(cashier, 2, '01911111111')]
const others = await sold(other, 4)
const managers = await sold(manager, 3)

it('lists own sales of today newest first, with receipt and return; the order only for those who may open it', async () => {
  expect(await ids(cashier)).toEqual([second, first])
  expect(await ids(other)).toEqual([others])
  const page = plainText((await cashier.get('/admin/quick-orders/sales?lang=en', html)).text)
  expect(page).toContain('৳247.50 Cash')
  const text = (await cashier.get('/admin/quick-orders/sales?lang=en', html)).text
  expect(text).toContain(`/admin/quick-orders/pos-invoice/${first}?print=1`)
  expect(text).toContain(`/admin/quick-orders/return?receipt=${first}`)
  expect(text).not.toContain('/admin/orders/update/')
  expect(await ids(manager)).toEqual([managers, others, second, first])
  expect((await manager.get('/admin/quick-orders/sales', html)).text).toContain(`/admin/orders/update/${first}`)
  expect(await ids(manager, 'day=2026-11-20')).toEqual([yesterday])
  // Only managers choose the day.
  expect(await ids(cashier, 'day=2026-11-20')).toEqual([second, first])
})

it('finds by phone, sum and number, in the digits of both scripts', async () => {
  for (const write of [(text: string) => text, bengaliDigits]) {
    expect(await ids(cashier, q(write('01911111111')))).toEqual([second])
    expect(await ids(cashier, q(write('01911')))).toEqual([second])
    expect(await ids(cashier, q(write('123.75')))).toEqual([first])
    expect(await ids(cashier, q(write('৳124')))).toEqual([first])
    expect(await ids(cashier, q(write('248')))).toEqual([second])
    expect(await ids(cashier, q(write(String(second))))).toEqual([second])
  }
  const { tracking_code } = await db.selectFrom('orders').select('tracking_code').where('id', '=', first).executeTakeFirstOrThrow()
  expect(await ids(cashier, q(`https://khamar.example/track/${tracking_code}`))).toEqual([first])
  for (const nothing of ['Rahima', '125', '999999999', '01999999999', "' or 1=1", '%00', '-1', 'x'.repeat(5000)])
    expect([nothing, await ids(cashier, q(nothing))]).toEqual([nothing, []])
})

it("a cashier finds others' sales by a complete phone or number, within the days of returns", async () => {
  expect(await ids(cashier, q('01811111111'))).toEqual([yesterday])
  expect(await ids(cashier, q(String(others)))).toEqual([others])
  expect(await ids(cashier, q('01811'))).toEqual([])
  expect(await ids(cashier, q('495'))).toEqual([])
  await sql`update orders set placed_at = placed_at - interval '20 days' where id = ${yesterday}`.execute(db)
  expect(await ids(cashier, q('01811111111'))).toEqual([])
  expect(await ids(manager, q('01811111111'))).toEqual([yesterday])
  expect(await ids(manager, q(String(yesterday)))).toEqual([yesterday])
})

it('leads from the return page to the sales of a phone', async () => {
  for (const [receipt, phone] of [
    ['01811111111', '01811111111'],
    ['০১৮১১১১১১১১', '০১৮১১১১১১১১'],
  ] as const) {
    const page = await cashier.get(`/admin/quick-orders/return?receipt=${encodeURIComponent(receipt)}`, html)
    expect([receipt, page.status, page.headers.location]).toEqual([
      receipt,
      303,
      `/admin/quick-orders/sales?q=${encodeURIComponent(phone)}`,
    ])
  }
  expect((await cashier.get(`/admin/quick-orders/return?receipt=${first}`, html)).status).toBe(200)
})

it('pages by key, and reads every wrong page, day and search as the first page', async () => {
  const more: number[] = []
  for (let n = 0; n < 31; n++) more.unshift(await sold(cashier, 0.5))
  const all = [...more, second, first]
  const { page } = await list(cashier)
  expect(page.rows.map(({ id }) => id)).toEqual(all.slice(0, 30))
  const next = await list(cashier, new URLSearchParams(page.next!).toString())
  expect(next.page.rows.map(({ id }) => id)).toEqual(all.slice(30))
  expect(next.page.next).toBeNull()
  const back = await list(cashier, new URLSearchParams(next.page.prev!).toString())
  expect(back.page.rows.map(({ id }) => id)).toEqual(all.slice(0, 30))
  expect((await ids(cashier, 'end=1')).at(-1)).toBe(first)
  for (const wrong of ['after=x', 'after=1~y', 'after=1e99~1e99', 'after=~', 'before=NaN~NaN', 'day=2026-13-01', 'q=', 'q=%20', 'foo=bar'])
    expect([wrong, await ids(cashier, wrong)]).toEqual([wrong, all.slice(0, 30)])
  expect(await ids(manager, 'day=nonsense')).toHaveLength(30)
})

it('shows a returned sale as returned, and a sale of a closed shift of today', async () => {
  const back = { lines: [{ product_id: honey.id, quantity: 1 }], refund: { cash: 123.75 }, reason: 'Not ripe' }
  expect((await cashier.post(`/admin/quick-orders/return/${first}`, back)).status).toBe(200)
  expect((await closeShift(cashier)).status).toBe(200)
  const found = await list(cashier, q(String(first)))
  expect(found.page.rows).toMatchObject([{ id: first, status: 'returned', total: 123.75, methods: ['cash'], more_lines: 0 }])
  const page = (await cashier.get(`/admin/quick-orders/sales?${q(String(first))}`, html)).text
  expect(page).not.toContain(`return?receipt=${first}`)
  expect(await ids(cashier)).toHaveLength(30)
})

it.each(['viewer', 'sales', 'weigher', 'customer'] as const)('a %s does not open it', async (role) => {
  const who = await signedIn(shop, role)
  expect((await who.get('/admin/quick-orders/sales', html)).status).toBe(403)
})
