import { sql } from 'kysely'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import type { CouponSums } from '#features/pricing/coupons/admin-queries.server.ts'
import type { Balances } from '#features/reports/balances.server.ts'
import { pageProps } from '#test/page-props.ts'
import { dueOf, receivedOf } from './books-checks.ts'
import { type BookOrder, type Books, isDone, isLive, spentOf, sumBy, sumOf, total } from './books-sums.ts'
import type { StockShop } from './stock-shop.ts'

// Lists as files, the totals of coupons, and what a buyer and the POS see, beside plain sums.

const HTML = { accept: 'text/html' }
const PAYMENTS = ['advance', 'gateway', 'cash_on_delivery', 'counter', 'refund']

async function fileOf({ manager }: StockShop, path: string): Promise<string[][]> {
  const { status, text } = await manager.get(path, HTML)
  expect(status, path).toBe(200)
  return parse(text, { bom: true }).slice(1)
}

const poisha = (cell: string | undefined) => Math.round(Number(cell) * 100)
const priceOf = ({ total: ordered, ledger }: BookOrder) => ordered - sumOf(ledger, 'settlement', 'return')

/** The files of orders, payments and customers, in full. */
async function expectFiles(world: StockShop, { orders, ledger }: Books): Promise<void> {
  const listed = await fileOf(world, '/admin/orders/export')
  const shown = listed.map((row) => [Number(row[0]), poisha(row[8]), poisha(row[9])]).toSorted(([a], [b]) => a! - b!)
  expect(shown).toEqual(orders.map((order) => [order.id, isLive(order) ? priceOf(order) : order.total, dueOf(order)]))
  const payments = await fileOf(world, '/admin/payments/export')
  const own = ledger.filter(({ kind }) => PAYMENTS.includes(kind))
  expect(payments.map((row) => poisha(row[6])).toSorted((a, b) => a - b)).toEqual(own.map(({ amount }) => amount).toSorted((a, b) => a - b))
  const customers = await fileOf(world, '/admin/customers/export')
  const spent = sumBy(orders.filter(isDone), ({ customer }) => customer, spentOf)
  expect(
    sumBy(
      customers,
      ([id]) => id!,
      (row) => poisha(row[5]),
    ),
  ).toEqual(spent)
}

/** The totals of each coupon. */
async function expectCoupons({ manager, db }: StockShop, { orders }: Books): Promise<void> {
  const { rows: uses } = await sql<{ coupon: number; order: number; given: number; is_free: boolean }>`
    select coupon_id as coupon, order_id as order, (discount_poisha + delivery_saved_poisha)::float8 as given, released_at is not null as is_free
    from coupon_uses`.execute(db)
  const byId = new Map(orders.map((order) => [order.id, order]))
  for (const [coupon, own] of Map.groupBy(uses, (use) => use.coupon)) {
    const page = pageProps<{ coupon: { uses: number }; sums: CouponSums }>((await manager.get(`/admin/coupons/${coupon}`, HTML)).text)
    const live = own.filter(({ order }) => isLive(byId.get(order)!))
    expect([page.coupon.uses, poisha(String(page.sums.given)), poisha(String(page.sums.orders_total))]).toEqual([
      own.filter(({ is_free }) => !is_free).length,
      total(live, ({ given }) => given),
      total(live, ({ order }) => spentOf(byId.get(order)!)),
    ])
  }
}

/** What the buyer is told of some orders, on the invoice and for a new payment. */
async function expectInvoices({ placed }: StockShop, { orders }: Books): Promise<void> {
  for (const { id, visitor } of placed.slice(-6)) {
    const answer = await visitor.get(`/invoice/${id}`, HTML)
    // A phone that was corrected is another buyer's.
    if (answer.status !== 200) continue
    const { order } = pageProps<{ order: { due: number; paid: number } }>(answer.text)
    const own = orders.find((one) => one.id === id)!
    const status = (await visitor.get(`/payments/status?order=${id}`)).body as { due_amount?: number; paid_amount?: number }
    const shown = [order.due, order.paid, status.due_amount, status.paid_amount].map((amount) => Math.round(amount! * 100))
    expect([id, ...shown]).toEqual([id, dueOf(own), receivedOf(own), Math.max(0, dueOf(own)), receivedOf(own)])
  }
}

/** What the POS says of the account of each customer. */
async function expectAccounts({ manager, db }: StockShop, { orders }: Books): Promise<void> {
  const { rows: sales } = await sql<{ id: number }>`select order_id as id from account_sales`.execute(db)
  const onAccount = new Set(sales.map(({ id }) => id))
  const { rows: users } = await sql<{ id: number; phone: string; credit: number }>`select id, phone, coalesce((select sum(amount_poisha)
    from store_credit_entries where customer_id = u.id), 0)::float8 as credit from users u where role = 'customer' and merged_into is null and phone like '01%'`.execute(
    db,
  )
  for (const { id, phone, credit } of users) {
    const { body } = await manager.get(`/api/admin/quick-orders/account?phone=${phone}`)
    const { account, store_credit } = body as { account?: { owed: number }; store_credit?: number }
    const own = orders.filter((order) => order.customer === id && onAccount.has(order.id))
    expect([phone, poisha(String(account!.owed)), poisha(String(store_credit))]).toEqual([
      phone,
      total(own, (order) => Math.max(0, dueOf(order))),
      credit,
    ])
  }
}

/** Reported transfers that wait, and store credit, as the reports have them. */
async function expectHeld({ manager, db }: StockShop): Promise<void> {
  const { rows } = await sql<{ waiting: number[]; credit: number[] }>`select
    (select coalesce(json_agg(amount_poisha), '[]') from advance_reports where state = 'waiting') as waiting,
    (select coalesce(json_agg(poisha), '[]') from (select sum(amount_poisha) as poisha from store_credit_entries group by customer_id) c where poisha > 0) as credit`.execute(
    db,
  )
  const { waiting, credit } = pageProps<{ balances: Balances }>((await manager.get('/admin/reports', HTML)).text).balances
  const sumsOf = (amounts: number[]) => ({ count: amounts.length, poisha: total(amounts, (amount) => amount) })
  expect([waiting, credit]).toEqual([sumsOf(rows[0]!.waiting), sumsOf(rows[0]!.credit)])
}

export async function expectLists(world: StockShop, books: Books): Promise<void> {
  await expectFiles(world, books)
  await expectCoupons(world, books)
  await expectInvoices(world, books)
  await expectAccounts(world, books)
  await expectHeld(world)
}
