import type { DayReport } from '#features/pos/day-report.server.ts'
import { type Drawer, type DrawerDay, drawersOf } from '#features/pos/drawer-rules.ts'
import { differenceToLedger } from '#features/pos/rules.ts'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import type { CsvCell, CsvFile } from '#lib/csv/csv.server.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { methodName } from '../admin/payments/method-name.ts'

const taka = (poisha: number) => poisha / 100
const difference = (counted: number | null, expected: number) => (counted === null ? null : Math.round((counted - expected) * 100) / 100)

/**
 * The day report as one CSV table, in the words of the reader; the first column names the section of each row. Without a report: only the
 * counted shifts.
 */
export function dayFile(day: string, report: DayReport | null, shifts: readonly ShiftReport[], t: Translate): CsvFile {
  const rows = [
    ...(report ? reportRows(report, t) : []),
    ...shifts.flatMap((shift) => shiftRows(shift, t)),
    ...drawersOf(shifts).flatMap((drawer) => drawerRows(drawer, t)),
  ]
  return {
    filename: `khamar-pos-${day}.csv`,
    head: [t('pos.file.section'), t('pos.file.item'), t('pos.file.count'), t('reports.taka')],
    rows,
  }
}

function reportRows(report: DayReport, t: Translate): CsvCell[][] {
  const { rounding, on_account: onAccount, account_payments: accountPayments, store_credit: credit, exchanges } = report
  const sales = t('pos.file.sales')
  const unlessZero = (amount: number, row: CsvCell[]) => (amount === 0 ? [] : [row])
  return [
    [sales, t('pos.file.products'), null, taka(report.goods)],
    [sales, t('pos.file.discount'), null, -taka(report.discount)],
    [sales, t('pos.file.delivery'), null, taka(report.delivery)],
    ...unlessZero(report.edited, [sales, t('pos.report.edited'), null, -taka(report.edited)]),
    [sales, t('pos.file.total'), report.sales, taka(report.total)],
    [t('pos.file.returns'), t('pos.file.refunds'), report.returns, -taka(report.refunds)],
    ...unlessZero(report.off_due, [t('pos.file.returns'), t('pos.report.off-due'), null, -taka(report.off_due)]),
    ...unlessZero(exchanges.count, [t('pos.file.exchanges'), t('pos.file.carried'), exchanges.count, taka(exchanges.value)]),
    ...unlessZero(rounding, [t('pos.file.ledger'), t('pos.file.rounding'), null, taka(rounding)]),
    ...unlessZero(onAccount, [t('pos.file.account'), t('pos.file.on-account'), null, -taka(onAccount)]),
    ...unlessZero(accountPayments, [t('pos.file.account'), t('pos.file.account-payments'), null, taka(accountPayments)]),
    ...unlessZero(credit.used, [t('pos.file.credit'), t('pos.file.credit-used'), null, -taka(credit.used)]),
    ...unlessZero(credit.issued, [t('pos.file.credit'), t('pos.file.credit-issued'), null, taka(credit.issued)]),
    ...report.methods.map(({ method, taken }): CsvCell[] => [t('pos.file.taken'), methodName(t, method), null, taka(taken)]),
    ...report.methods.map(({ method, given }): CsvCell[] => [t('pos.file.given'), methodName(t, method), null, -taka(given)]),
    [t('pos.file.ledger'), t('pos.file.ledger-difference'), null, taka(differenceToLedger(report))],
    ...partRows(report, t),
  ]
}

/** The sales by category and hour, and what the shop looks at one by one. */
function partRows({ hours, moves, receiptless, approved, ...report }: DayReport, t: Translate): CsvCell[][] {
  const categories = report.categories.map((one) => ({ ...one, name: one.name || t('reports.no-category') }))
  const returned = categories.filter((category) => category.returned > 0)
  return [
    ...categories.map(({ name, sold }): CsvCell[] => [t('pos.file.category-sold'), name, null, taka(sold)]),
    ...returned.map((category): CsvCell[] => [t('pos.file.category-returned'), category.name, null, -taka(category.returned)]),
    ...hours.map(({ hour, sales, total }): CsvCell[] => [t('pos.file.hour'), `${String(hour).padStart(2, '0')}:00`, sales, taka(total)]),
    ...moves.map(({ cashier, amount, reason }): CsvCell[] => [t('pos.file.move'), `${cashier}: ${reason}`, null, taka(amount)]),
    ...receiptless.map(({ id, by, phone, refund }): CsvCell[] => [t('pos.file.receiptless'), `${by}: ${id} ${phone}`, null, -taka(refund)]),
    ...approved.map(({ order_id, by, discount }): CsvCell[] => [t('pos.file.approved'), `${by}: ${order_id}`, null, taka(discount)]),
  ]
}

function shiftRows(shift: ShiftReport, t: Translate): CsvCell[][] {
  const note = shift.note ? `: ${shift.note}` : ''
  return shift.methods.flatMap(({ method, expected, counted }): CsvCell[][] => {
    const what = `${shift.cashier} ${shift.id} ${methodName(t, method)}`
    const rows: CsvCell[][] = [[t('pos.file.shift-counted'), what, shift.sales, counted]]
    if (expected === null) return rows
    return [
      [t('pos.file.shift-expected'), what, shift.sales, expected],
      ...rows,
      [t('pos.file.shift-difference'), what + note, null, difference(counted, expected)],
    ]
  })
}

/** A drawer: the rows of each shift, then those of the day where there are several. */
function drawerRows({ register, shifts, day }: Drawer, t: Translate): CsvCell[][] {
  const name = register?.name ?? t('pos.drawer.no-register')
  const rows = shifts.flatMap(({ shift, ...sums }) => cashRows(`${name}: ${shift.cashier} ${shift.id}`, sums, t))
  return shifts.length > 1 ? [...rows, ...cashRows(name, day, t)] : rows
}

function cashRows(where: string, sums: DrawerDay, t: Translate): CsvCell[][] {
  const amounts = [
    ['between', sums.between],
    ['opening', sums.opening],
    ['sales', sums.sales],
    ['account', sums.accountPayments],
    ['in', sums.cashIn],
    ['out', -sums.cashOut],
    ['refunds', -sums.refunds],
    ['expected', sums.expected],
    ['counted', sums.counted],
    ['difference', sums.difference],
  ] as const
  return amounts.map(([what, amount]) => [
    t('pos.file.drawer'),
    `${where} ${t(`pos.file.drawer-${what}`)}`,
    null,
    amount === null ? null : taka(amount),
  ])
}
