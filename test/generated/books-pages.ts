import { expect } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import type { Props as ReportProps } from '#site/admin/reports/reports.page.tsx'
import { pageProps } from '#test/page-props.ts'
import { expectBalances, expectCustomer, expectShifts } from './books-checks.ts'
import { BOOK_STEPS, type PastCategories } from './books-steps.ts'
import { type BookOrder, type Books, isDone, isLive, readBooks, spentOf, sumBy, sumOf, total } from './books-sums.ts'
import { Dice } from './dice.ts'
import type { StockShop } from './stock-shop.ts'

// Pages of a period beside plain sums.

const HTML = { accept: 'text/html' }

interface Period {
  from: string
  to: string
}

const inPeriod =
  ({ from, to }: Period) =>
  ({ day }: { day: string }) =>
    day >= from && day <= to

const byKey = (parts: readonly { key: string; total_poisha: number }[]) =>
  sumBy(
    parts,
    ({ key }) => key,
    ({ total_poisha }) => total_poisha,
  )

const categoryAt = (categories: PastCategories, product: number, at: Date) =>
  categories.get(product)!.findLast(({ from }) => from <= at)!.category

function expectedReport(books: Books, categories: PastCategories, period: Period) {
  const inside = inPeriod(period)
  const orders = books.orders.filter(inside)
  const live = orders.filter(isLive)
  const lost = orders.filter((order) => !isLive(order))
  const done = orders.filter(isDone)
  const back = books.receiptless.filter(inside)
  const returned = total(back, ({ refund }) => refund)
  const ledger = books.ledger.filter(inside)
  const lines = [
    ...live.flatMap(({ at, lines }) => lines.map(({ product, value }) => ({ category: categoryAt(categories, product, at), value }))),
    ...back.flatMap(({ at, lines }) =>
      lines.map(({ product, value }) => ({ category: categoryAt(categories, product, at), value: -value })),
    ),
  ]
  const parts = [
    ...live.map((order) => ({ day: order.day, area: order.area, value: spentOf(order) })),
    ...back.map(({ day, refund }) => ({ day, area: 0, value: -refund })),
  ]
  return {
    totals: {
      orders: live.length,
      total_poisha: total(live, spentOf) - returned,
      discount_poisha: total(live, ({ discount }) => discount),
      shipping_poisha: total(live, ({ shipping }) => shipping),
      done_orders: done.length,
      done_poisha: total(done, spentOf) - returned,
      lost_orders: lost.length,
      lost_poisha: total(lost, (order) => order.total),
      returned_poisha: returned,
      fees_poisha: -sumOf(ledger, 'fee'),
      written_off_poisha: sumOf(ledger, 'write_off'),
    },
    days: sumBy(
      parts,
      ({ day }) => day,
      ({ value }) => value,
    ),
    areas: sumBy(
      parts,
      ({ area }) => area,
      ({ value }) => value,
    ),
    categories: sumBy(
      lines,
      ({ category }) => category,
      ({ value }) => value,
    ),
  }
}

async function expectReports({ manager }: StockShop, books: Books, past: PastCategories, period: Period): Promise<void> {
  const { from, to } = period
  const page = await manager.get(`/admin/reports?from=${from}&to=${to}`, HTML)
  const { totals, days, areas, categories } = pageProps<ReportProps>(page.text)
  const shown = { totals, days: byKey(days), areas: byKey(areas), categories: byKey(categories) }
  const expected = expectedReport(books, past, period)
  for (const name of ['totals', 'days', 'areas', 'categories'] as const)
    expect(JSON.stringify([from, to, name, Object.entries(shown[name]).toSorted()])).toBe(
      JSON.stringify([from, to, name, Object.entries(expected[name]).toSorted()]),
    )
}

async function expectLeaderboard({ manager }: StockShop, books: Books, { from, to }: Period): Promise<void> {
  const page = await manager.get(`/admin/leaderboard?start_date=${from}&end_date=${to}`, HTML)
  const { list } = pageProps<{ list: { rows: { id: number; total_spent: number }[] } }>(page.text)
  const done = books.orders.filter(inPeriod({ from, to })).filter(isDone)
  const shown = sumBy(
    list.rows,
    ({ id }) => id,
    ({ total_spent }) => Math.round(total_spent * 100),
  )
  expect(shown).toEqual(sumBy(done, ({ customer }) => customer, spentOf))
}

const PRICES = ['settlement', 'return', 'fee', 'write_off']

async function expectPayments({ manager }: StockShop, books: Books, { from, to }: Period): Promise<void> {
  const page = await manager.get(`/admin/payments/days?from=${from}&to=${to}`, HTML)
  const { days } = pageProps<{ days: { day: string; method: string; total_poisha: number; refunds_poisha: number }[] }>(page.text)
  const money = books.ledger.filter(inPeriod({ from, to })).filter(({ kind }) => !PRICES.includes(kind))
  const keyOf = ({ day, method }: { day: string; method: string }) => `${day} ${method}`
  expect(sumBy(days, keyOf, ({ total_poisha }) => total_poisha)).toEqual(sumBy(money, keyOf, ({ amount }) => amount))
  const refunds = money.filter(({ kind }) => kind === 'refund')
  expect(sumBy(days, keyOf, ({ refunds_poisha }) => refunds_poisha)).toEqual(sumBy(refunds, keyOf, ({ amount }) => amount))
}

async function expectCustomers({ manager }: StockShop, books: Books): Promise<void> {
  const { text } = await manager.get('/admin/customers', HTML)
  const { list } = pageProps<{ list: { rows: { id: number; spent: number }[] } }>(text)
  const ofRow = (row: BookOrder) => list.rows.some(({ id }) => id === row.customer)
  const shown = sumBy(
    list.rows,
    ({ id }) => id,
    ({ spent }) => Math.round(spent * 100),
  )
  expect(shown).toEqual(sumBy(books.orders.filter(isDone).filter(ofRow), ({ customer }) => customer, spentOf))
}

/** Compares the pages of the whole time since `first`, of its year, and of some days. */
export async function expectBooks(world: StockShop, categories: PastCategories, first: string, at: number): Promise<void> {
  await BOOK_STEPS.aggregate(world, new Dice(at))
  const books = await readBooks(world.db)
  const dice = new Dice(at + 700_000)
  const last = dhakaDate(world.shop.clock.now)
  const start = addDays(first, dice.below(6))
  for (const period of [
    { from: first, to: addDays(last, 1) },
    { from: first, to: '2026-12-31' },
    { from: start, to: addDays(start, dice.below(4)) },
  ]) {
    await expectReports(world, books, categories, period)
    await expectLeaderboard(world, books, period)
    await expectPayments(world, books, period)
  }
  await expectCustomers(world, books)
  await expectBalances(world, books)
  if (books.orders.length > 0) await expectCustomer(world, books, dice.pick(books.orders).customer)
  await expectShifts(world, books)
}
