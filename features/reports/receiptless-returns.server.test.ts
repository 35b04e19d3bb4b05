import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { testDb } from '#test/db.ts'
import { buildCategory, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { SaleRow } from '#features/pos/sales-list.server.ts'
import { aggregateSales } from './aggregate-sales.server.ts'
import { readPeriod } from './period-rules.ts'
import { salesByArea, salesByCategory, salesByDay, salesTotals } from './sales.server.ts'

// Returns without a receipt lower the sales report on their day and are in the list of sales; both sums equal the ledger.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T17:50:00Z')
const [cashier, other, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
const fruit = await buildCategory(db, { name_en: 'Fruit' })
const honey = await buildProduct(db, { category_id: fruit.id, unit: 'kg', stock_milli: null, price_poisha: 12_000 })
for (const who of [cashier, other, manager]) await who.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const html = { accept: 'text/html' }
async function sell(who = cashier) {
  const products = [{ id: honey.id, quantity: 1 }]
  const sale = { products, customer: { phone: '01712345678' }, transactions: { cash: 120 }, total: 120 }
  const answer = await who.post('/admin/quick-orders/store', sale)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
/** The manager approves by being one. */
async function giveBack(quantity: number, phone: string) {
  const refund = { cash: quantity * 120 }
  const lines = [{ product_id: honey.id, quantity, price: 120 }]
  const answer = await manager.post('/admin/quick-orders/return-without-receipt', { lines, phone, reason: 'Sour', refund })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { return_id?: number }).return_id!
}
const sold = await sell()
const first = await giveBack(0.5, '01811111111')
// After midnight in Dhaka.
shop.clock.now = new Date('2026-11-20T18:10:00Z')
const later = await giveBack(2, '01911111111')

it('lowers totals, day, category and area; the sums equal the ledger', async () => {
  await aggregateSales(db, shop.clock.now)
  const period = readPeriod({ from: '2026-11-20', to: '2026-11-21' }, '2026-11-21')
  const { rows } = await sql<{ ledger: number }>`select sum(amount_poisha)::bigint as ledger from ledger_entries`.execute(db)
  const totals = await salesTotals(db, period)
  expect(totals).toMatchObject({ orders: 1, total_poisha: 12_000 - 30_000, returned_poisha: 30_000 })
  expect(totals.total_poisha).toBe(rows[0]!.ledger)
  const days = await salesByDay(db, period)
  expect(days.map(({ key, total_poisha }) => [key, total_poisha])).toEqual([
    ['2026-11-20', 6000],
    ['2026-11-21', -24_000],
  ])
  expect((await salesByCategory(db, period, 'en')).map(({ name, total_poisha }) => [name, total_poisha])).toEqual([['Fruit', -18_000]])
  expect((await salesByArea(db, period, 'en')).map(({ key, total_poisha }) => [key, total_poisha])).toEqual([['0', -18_000]])
  const page = await manager.get('/admin/reports?from=2026-11-20&to=2026-11-21&lang=en', html)
  expect(page.text).toContain('Returns without a receipt')
})

it('lists them among the sales, found by phone and sum, for those who may see them', async () => {
  const rows = async (who: typeof cashier, query = '') =>
    pageProps<{ page: KeysetPage<SaleRow> }>((await who.get(`/admin/quick-orders/sales?${query}`, html)).text).page.rows
  const [day, next] = [await rows(manager, 'day=2026-11-20'), await rows(manager, 'day=2026-11-21')]
  expect(day.map(({ id, return_id: returnId, total }) => [returnId ?? id, total]).toSorted()).toEqual(
    [
      [sold, 120],
      [first, -60],
    ].toSorted(),
  )
  expect(next).toMatchObject([{ id: -later, return_id: later, total: -240, phone: '01911111111', methods: ['cash'], status: 'returned' }])
  const { rows: ledger } = await sql<{ taka: number }>`select (sum(amount_poisha) / 100.0)::float8 as taka from ledger_entries`.execute(db)
  expect([...day, ...next].reduce((sum, { total }) => sum + total, 0)).toBe(ledger[0]!.taka)
  expect((await rows(manager, 'q=01811111111')).map(({ return_id: id }) => id)).toEqual([first])
  expect((await rows(manager, 'q=240.00&day=2026-11-21')).map(({ return_id: id }) => id)).toEqual([later])
  expect(await rows(manager, 'q=%23240')).toEqual([])
  expect(await rows(other)).toEqual([])
  expect((await rows(cashier)).map(({ id }) => id)).toEqual([sold])
  const page = await manager.get('/admin/quick-orders/sales?day=2026-11-21&lang=en', html)
  expect(page.text).toContain(`/admin/quick-orders/return-receipts/${later}?print=1`)
})

it('pages through sales and returns at the same moment without losing one', async () => {
  for (let more = 0; more < 20; more++) {
    await sell(other)
    await giveBack(0.5, '01611111111')
  }
  const seen: number[] = []
  let query: string | null = 'day=2026-11-21'
  while (query !== null) {
    const page: KeysetPage<SaleRow> = pageProps<{ page: KeysetPage<SaleRow> }>(
      (await manager.get(`/admin/quick-orders/sales?${query}`, html)).text,
    ).page
    seen.push(...page.rows.map(({ id }) => id))
    query = page.next === null ? null : `day=2026-11-21&${new URLSearchParams(page.next)}`
  }
  expect(seen).toHaveLength(41)
  expect(new Set(seen).size).toBe(41)
})
