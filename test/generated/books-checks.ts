import { expect } from 'vitest'
import type { DayReport } from '#features/pos/day-report.server.ts'
import { differenceToLedger } from '#features/pos/rules.ts'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import type { Balances } from '#features/reports/balances.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { pageProps } from '#test/page-props.ts'
import { type BookOrder, type Books, isLive, sumBy, sumOf, total } from './books-sums.ts'
import type { StockShop } from './stock-shop.ts'

// Pages without a period, and those of the POS, beside plain sums.

const HTML = { accept: 'text/html' }
const OPEN = ['placed', 'processing', 'on_delivery']

/** What is still due; of an ended order, what is left of its money is to be paid back. */
export function dueOf(order: BookOrder): number {
  const booked = total(order.ledger, ({ amount }) => amount)
  return isLive(order) ? order.total - booked : sumOf(order.ledger, 'settlement', 'return') - booked
}

export const receivedOf = ({ ledger }: BookOrder) =>
  total(ledger, ({ amount }) => amount) - sumOf(ledger, 'settlement', 'return', 'fee', 'write_off')

export async function expectBalances({ manager }: StockShop, { orders }: Books): Promise<void> {
  const { text } = await manager.get('/admin/reports', HTML)
  const { due, held, refunds } = pageProps<{ balances: Balances }>(text).balances
  const shown = [due, held, refunds].map((part) =>
    sumBy(
      part,
      ({ status }) => status,
      ({ poisha }) => poisha,
    ),
  )
  const statusOf = ({ status }: BookOrder) => status
  const open = orders.filter(({ status }) => OPEN.includes(status))
  expect(shown).toEqual([
    sumBy(orders.filter(isLive), statusOf, (order) => Math.max(0, dueOf(order))),
    sumBy(open, statusOf, (order) => Math.max(0, receivedOf(order))),
    sumBy(orders, statusOf, (order) => Math.max(0, -dueOf(order))),
  ])
}

export async function expectCustomer({ manager }: StockShop, { orders }: Books, id: number): Promise<void> {
  const { text } = await manager.get(`/admin/customers/${id}`, HTML)
  const { customer } = pageProps<{ customer: { due: number; refund_due: number; orders_count: number } }>(text)
  const own = orders.filter((order) => order.customer === id)
  const taka = (of: (order: BookOrder) => number) => total(own, of) / 100
  expect([id, customer.orders_count, customer.due, customer.refund_due]).toEqual([
    id,
    own.length,
    taka((order) => Math.max(0, dueOf(order))),
    taka((order) => Math.max(0, -dueOf(order))),
  ])
}

const METHODS = ['cash', 'bkash', 'bank', 'nagad', 'rocket', 'card']

/** The report of a day has the payments of the shifts that were opened on it, and is the sum of their reports. */
export async function expectShifts({ manager, db }: StockShop, { ledger }: Books): Promise<void> {
  const shifts = await db.selectFrom('pos_shifts').select(['id', 'opened_at']).orderBy('id').execute()
  for (const [day, opened] of Map.groupBy(shifts, ({ opened_at }) => dhakaDate(opened_at))) {
    const ids = opened.map(({ id }) => id)
    const { text } = await manager.get(`/admin/quick-orders/shifts?day=${day}`, HTML)
    const { report, shifts: shown } = pageProps<{ report: DayReport; shifts: ShiftReport[] }>(text)
    const reports: DayReport[] = []
    for (const id of ids)
      reports.push(pageProps<{ report: DayReport }>((await manager.get(`/admin/quick-orders/shift-report/${id}`, HTML)).text).report)
    const own = ledger.filter(({ shift_id, method }) => ids.includes(shift_id ?? 0) && METHODS.includes(method))
    const net = sumBy(
      report.methods,
      ({ method }) => method,
      ({ taken, given }) => taken - given,
    )
    expect([day, net]).toEqual([
      day,
      sumBy(
        own,
        ({ method }) => method,
        ({ amount }) => amount,
      ),
    ])
    expect(shown.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids)
    for (const name of [
      'sales',
      'goods',
      'discount',
      'delivery',
      'total',
      'returns',
      'refunds',
      'off_due',
      'rounding',
      'on_account',
    ] as const)
      expect([day, name, report[name]]).toEqual([day, name, total(reports, (one) => one[name])])
    expect(report.goods - report.discount + report.delivery - report.edited).toBe(report.total)
    expect([day, differenceToLedger(report)]).toEqual([day, 0])
    expect(total(report.categories, ({ sold }) => sold)).toBe(report.goods)
    expect(total(report.hours, (hour) => hour.total)).toBe(report.total)
  }
}
