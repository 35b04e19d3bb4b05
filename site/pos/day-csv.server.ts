import type { DayReport } from '#features/pos/day-report.server.ts'
import { type Drawer, type DrawerDay, drawersOf } from '#features/pos/drawer-rules.ts'
import { differenceToLedger } from '#features/pos/rules.ts'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import type { CsvCell, CsvFile } from '#lib/csv/csv.server.ts'

const taka = (poisha: number) => poisha / 100
const difference = (counted: number | null, expected: number) => (counted === null ? null : Math.round((counted - expected) * 100) / 100)

/** The day report as one CSV table; the first column names the section of each row. Without a report: only the counted shifts. */
export function dayFile(day: string, report: DayReport | null, shifts: readonly ShiftReport[]): CsvFile {
  const rows = [...(report ? reportRows(report) : []), ...shifts.flatMap(shiftRows), ...drawersOf(shifts).flatMap(drawerRows)]
  return { filename: `khamar-pos-${day}.csv`, head: ['Section', 'Item', 'Count', 'Taka'], rows }
}

function reportRows(report: DayReport): CsvCell[][] {
  return [
    ['Sales', 'Products', report.sales, taka(report.goods)],
    ['Sales', 'Discount', null, -taka(report.discount)],
    ['Sales', 'Delivery', null, taka(report.delivery)],
    ['Sales', 'Total', report.sales, taka(report.total)],
    ['Returns', 'Refunds', report.returns, -taka(report.refunds)],
    ...(report.exchanges.count === 0 ? [] : [['Exchanges', 'Carried over', report.exchanges.count, taka(report.exchanges.value)]]),
    ...(report.rounding === 0 ? [] : [['Ledger', 'Cash rounding', null, taka(report.rounding)]]),
    ...(report.on_account === 0 ? [] : [['Account', 'Sold on account', null, -taka(report.on_account)]]),
    ...(report.account_payments === 0 ? [] : [['Account', 'Payments received', null, taka(report.account_payments)]]),
    ...(report.store_credit.used === 0 ? [] : [['Store credit', 'Used', null, -taka(report.store_credit.used)]]),
    ...(report.store_credit.issued === 0 ? [] : [['Store credit', 'Refunded', null, taka(report.store_credit.issued)]]),
    ...report.methods.map(({ method, taken }): CsvCell[] => ['Taken', method, null, taka(taken)]),
    ...report.methods.map(({ method, given }): CsvCell[] => ['Given back', method, null, -taka(given)]),
    ['Ledger', 'Difference', null, taka(differenceToLedger(report))],
    ...report.categories.map(({ name, sold }): CsvCell[] => ['Category sold', name, null, taka(sold)]),
    ...report.categories
      .filter(({ returned }) => returned > 0)
      .map(({ name, returned }): CsvCell[] => ['Category returned', name, null, -taka(returned)]),
    ...report.hours.map(({ hour, sales, total }): CsvCell[] => ['Hour', `${String(hour).padStart(2, '0')}:00`, sales, taka(total)]),
    ...report.moves.map(({ cashier, amount, reason }): CsvCell[] => ['Cash move', `${cashier}: ${reason}`, null, taka(amount)]),
    ...report.receiptless.map(({ id, by, phone, refund }): CsvCell[] => [
      'Return without receipt',
      `${by}: ${id} ${phone}`,
      null,
      -taka(refund),
    ]),
    ...report.approved.map(({ order_id, by, discount }): CsvCell[] => ['Approved', `${by}: ${order_id}`, null, taka(discount)]),
  ]
}

function shiftRows(shift: ShiftReport): CsvCell[][] {
  const note = shift.note ? `: ${shift.note}` : ''
  return shift.methods.flatMap(({ method, expected, counted }): CsvCell[][] => {
    const what = `${shift.cashier} ${shift.id} ${method}`
    const rows: CsvCell[][] = [['Shift counted', what, shift.sales, counted]]
    if (expected === null) return rows
    return [
      ['Shift expected', what, shift.sales, expected],
      ...rows,
      ['Shift difference', what + note, null, difference(counted, expected)],
    ]
  })
}

/** The drawer of a register: the rows of each shift, then those of the day where there are several. */
function drawerRows({ register, shifts, day }: Drawer): CsvCell[][] {
  const rows = shifts.flatMap(({ shift, ...sums }) => cashRows(`${register.name}: ${shift.cashier} ${shift.id}`, sums))
  return shifts.length > 1 ? [...rows, ...cashRows(register.name, day)] : rows
}

function cashRows(where: string, sums: DrawerDay): CsvCell[][] {
  const amounts: [string, number | null][] = [
    ['changed between shifts', sums.between],
    ['opening cash', sums.opening],
    ['cash sales', sums.sales],
    ['payments on account', sums.accountPayments],
    ['cash in', sums.cashIn],
    ['cash out', -sums.cashOut],
    ['refunds', -sums.refunds],
    ['expected', sums.expected],
    ['counted', sums.counted],
    ['difference', sums.difference],
  ]
  return amounts.map(([what, amount]) => ['Drawer', `${where} ${what}`, null, amount === null ? null : taka(amount)])
}
