import type { DayReport } from '#features/pos/day-report.server.ts'
import { differenceToLedger } from '#features/pos/rules.ts'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import type { CsvCell, CsvFile } from '#lib/csv/csv.server.ts'

const taka = (poisha: number) => poisha / 100
const difference = (counted: number | null, expected: number) => (counted === null ? null : Math.round((counted - expected) * 100) / 100)

/** The day report as one CSV table; the first column names the section of each row. */
export function dayFile(day: string, report: DayReport, shifts: readonly ShiftReport[]): CsvFile {
  const rows: CsvCell[][] = [
    ['Sales', 'Goods', report.sales, taka(report.goods)],
    ['Sales', 'Discount', null, -taka(report.discount)],
    ['Sales', 'Delivery', null, taka(report.delivery)],
    ['Sales', 'Total', report.sales, taka(report.total)],
    ['Returns', 'Money back', report.returns, -taka(report.refunds)],
    ...report.methods.map(({ method, taken }): CsvCell[] => ['Taken', method, null, taka(taken)]),
    ...report.methods.map(({ method, given }): CsvCell[] => ['Given back', method, null, -taka(given)]),
    ['Ledger', 'Difference', null, taka(differenceToLedger(report))],
    ...report.categories.map(({ name, sold }): CsvCell[] => ['Category sold', name, null, taka(sold)]),
    ...report.categories
      .filter(({ returned }) => returned > 0)
      .map(({ name, returned }): CsvCell[] => ['Category returned', name, null, -taka(returned)]),
    ...report.hours.map(({ hour, sales, total }): CsvCell[] => ['Hour', `${String(hour).padStart(2, '0')}:00`, sales, taka(total)]),
    ...report.moves.map(({ cashier, amount, reason }): CsvCell[] => ['Cash move', `${cashier}: ${reason}`, null, taka(amount)]),
    ...report.approved.map(({ order_id, by, discount }): CsvCell[] => ['Approved', `${by}: ${order_id}`, null, taka(discount)]),
    ...shifts.flatMap((shift) =>
      shift.methods.flatMap(({ method, expected, counted }): CsvCell[][] => [
        ['Shift expected', `${shift.cashier} ${shift.id} ${method}`, shift.sales, expected],
        ['Shift counted', `${shift.cashier} ${shift.id} ${method}`, null, counted],
        [
          'Shift difference',
          `${shift.cashier} ${shift.id} ${method}${shift.note ? `: ${shift.note}` : ''}`,
          null,
          difference(counted, expected),
        ],
      ]),
    ),
  ]
  return { filename: `khamar-till-${day}.csv`, head: ['Part', 'What', 'Count', 'Taka'], rows }
}
