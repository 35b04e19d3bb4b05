import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import type { Props as ReportProps } from '#site/admin/reports/reports.page.tsx'
import { testDb } from '#test/db.ts'
import { buildCategory } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { expectBalances, expectCustomer, expectShifts } from './books-checks.ts'
import { BOOK_STEPS, readCategories } from './books-steps.ts'
import { type BookOrder, type Books, isDone, isLive, readBooks, spentOf, sumBy, sumOf, total } from './books-sums.ts'
import { Dice, stepsOf, weighted } from './dice.ts'
import { runSteps } from './run-steps.ts'
import { COUNTER_STEPS } from './stock-counter.ts'
import { FARM_STEPS } from './stock-farm.ts'
import { ORDER_STEPS } from './stock-orders.ts'
import { openStockShop } from './stock-shop.ts'

// Generated weeks of all channels, across midnight in Dhaka, the end of a month and of a year. Every report of a period is the plain sum of its rows.

const STEPS = { ...ORDER_STEPS, ...COUNTER_STEPS, ...FARM_STEPS, ...BOOK_STEPS }
/** The relative frequency of each step. */
const WEIGHTS: Partial<Record<keyof typeof STEPS, number>> = {
  webOrder: 8,
  expire: 1,
  phoneOrder: 6,
  edit: 5,
  move: 22,
  pay: 10,
  changeOwn: 4,
  moveAll: 1,
  sell: 8,
  sellLate: 4,
  takeBack: 5,
  returnInAdmin: 5,
  exchange: 5,
  takeBackWithoutReceipt: 4,
  count: 10,
  weigh: 6,
  settle: 6,
  offer: 4,
  release: 4,
  refund: 8,
  adjust: 6,
  reverse: 3,
  sellOnAccount: 5,
  payAccount: 4,
  closeShift: 3,
  aggregate: 8,
}
const FIRST = '2026-12-29'
const HTML = { accept: 'text/html' }

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const world = await openStockShop(db, shop)
for (let n = 0; n < 6; n++)
  await sql`insert into users (name, phone, credit_limit_poisha) values ('Rahim', ${`017${30_000_000 + n}`}, 900000000)
    on conflict do nothing`.execute(db)
const before = await countStock(db)
before.delete(world.seldomCounted)
const categories = await readCategories(world)
const others = [await buildCategory(db, { name_en: 'Sweets' }), await buildCategory(db, { name_en: 'Gifts' })].map(({ id }) => id)

afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

/** Some hours later, in which the staff did not sign in again. */
async function wait(dice: Dice): Promise<void> {
  if (dice.chance(60)) shop.clock.now = new Date(shop.clock.now.getTime() + dice.below(5 * 3_600_000))
  await sql`update sessions set last_seen_at = ${shop.clock.now}, expires_at = ${shop.clock.now}::timestamptz + interval '1 day'`.execute(
    db,
  )
}

/** A product gets another category; the database has another clock than the shop. */
async function moveToCategory(dice: Dice): Promise<void> {
  const { id } = dice.pick(world.products)
  const category = dice.pick(others)
  const from = new Date(shop.clock.now.getTime() + 1)
  const { rows } = await sql<{ was: Date }>`select now() as was`.execute(db)
  await sql`update products set category_id = ${category} where id = ${id}`.execute(db)
  await sql`update past_categories set until = ${from} where product_id = ${id} and until between ${rows[0]!.was} and now()`.execute(db)
  categories.get(id)!.push({ from, category })
}

const inPeriod =
  ({ from, to }: { from: string; to: string }) =>
  ({ day }: { day: string }) =>
    day >= from && day <= to

const byKey = (parts: readonly { key: string; total_poisha: number }[]) =>
  sumBy(
    parts,
    ({ key }) => key,
    ({ total_poisha }) => total_poisha,
  )

const categoryAt = (product: number, at: Date) => categories.get(product)!.findLast(({ from }) => from <= at)!.category

function expectedReport(books: Books, period: { from: string; to: string }) {
  const inside = inPeriod(period)
  const orders = books.orders.filter(inside)
  const live = orders.filter(isLive)
  const lost = orders.filter((order) => !isLive(order))
  const done = orders.filter(isDone)
  const back = books.receiptless.filter(inside)
  const returned = total(back, ({ refund }) => refund)
  const ledger = books.ledger.filter(inside)
  const lines = [
    ...live.flatMap(({ at, lines }) => lines.map(({ product, value }) => ({ category: categoryAt(product, at), value }))),
    ...back.flatMap(({ at, lines }) => lines.map(({ product, value }) => ({ category: categoryAt(product, at), value: -value }))),
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

async function expectReports(books: Books, period: { from: string; to: string }): Promise<void> {
  const { from, to } = period
  const page = await world.manager.get(`/admin/reports?from=${from}&to=${to}`, HTML)
  const { totals, days, areas, categories } = pageProps<ReportProps>(page.text)
  const shown = { totals, days: byKey(days), areas: byKey(areas), categories: byKey(categories) }
  const expected = expectedReport(books, period)
  for (const name of ['totals', 'days', 'areas', 'categories'] as const)
    expect(JSON.stringify([from, to, name, Object.entries(shown[name]).toSorted()])).toBe(
      JSON.stringify([from, to, name, Object.entries(expected[name]).toSorted()]),
    )
}

async function expectLeaderboard(books: Books, { from, to }: { from: string; to: string }): Promise<void> {
  const page = await world.manager.get(`/admin/leaderboard?start_date=${from}&end_date=${to}`, HTML)
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

async function expectPayments(books: Books, { from, to }: { from: string; to: string }): Promise<void> {
  const page = await world.manager.get(`/admin/payments/days?from=${from}&to=${to}`, HTML)
  const { days } = pageProps<{ days: { day: string; method: string; total_poisha: number; refunds_poisha: number }[] }>(page.text)
  const money = books.ledger.filter(inPeriod({ from, to })).filter(({ kind }) => !PRICES.includes(kind))
  const keyOf = ({ day, method }: { day: string; method: string }) => `${day} ${method}`
  expect(sumBy(days, keyOf, ({ total_poisha }) => total_poisha)).toEqual(sumBy(money, keyOf, ({ amount }) => amount))
  const refunds = money.filter(({ kind }) => kind === 'refund')
  expect(sumBy(days, keyOf, ({ refunds_poisha }) => refunds_poisha)).toEqual(sumBy(refunds, keyOf, ({ amount }) => amount))
}

async function expectCustomers(books: Books): Promise<void> {
  const { text } = await world.manager.get('/admin/customers', HTML)
  const { list } = pageProps<{ list: { rows: { id: number; spent: number }[] } }>(text)
  const ofRow = (row: BookOrder) => list.rows.some(({ id }) => id === row.customer)
  const shown = sumBy(
    list.rows,
    ({ id }) => id,
    ({ spent }) => Math.round(spent * 100),
  )
  expect(shown).toEqual(sumBy(books.orders.filter(isDone).filter(ofRow), ({ customer }) => customer, spentOf))
}

async function expectBooks(at: number): Promise<void> {
  await BOOK_STEPS.aggregate(world, new Dice(at))
  const books = await readBooks(db)
  const dice = new Dice(at + 700_000)
  const last = dhakaDate(shop.clock.now)
  const start = addDays(FIRST, dice.below(6))
  for (const period of [
    { from: FIRST, to: addDays(last, 1) },
    { from: FIRST, to: '2026-12-31' },
    { from: start, to: addDays(start, dice.below(4)) },
  ]) {
    await expectReports(books, period)
    await expectLeaderboard(books, period)
    await expectPayments(books, period)
  }
  await expectCustomers(books)
  await expectBalances(world, books)
  if (books.orders.length > 0) await expectCustomer(world, books, dice.pick(books.orders).customer)
  await expectShifts(world, books)
}

it('every report of a period is the sum of its rows', { timeout: 900_000 }, async () => {
  shop.clock.now = new Date(`${FIRST}T05:00:00Z`)
  const names = weighted(WEIGHTS as Record<keyof typeof STEPS, number>)
  await wait(new Dice(0))
  await runSteps({
    db,
    clock: shop.clock,
    count: stepsOf(90),
    names,
    take: (name, dice) => STEPS[name](world, dice),
    refusals: [303, 400, 404, 409, 410, 422],
    silent: ['expire', 'moveAll'],
    check: async (at) => {
      const dice = new Dice(at + 900_000)
      if (dice.chance(15)) await moveToCategory(dice)
      if (at % 10 === 9) await expectBooks(at)
      await wait(dice)
    },
  })
})
