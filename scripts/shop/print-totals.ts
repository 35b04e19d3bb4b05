import type { Totals } from '#features/backup/archive/format.ts'

const LINES: readonly { label: string; table: string; column: string | null; divisor?: number }[] = [
  { label: 'orders', table: 'orders', column: null },
  { label: 'order totals, taka', table: 'orders', column: 'total_poisha', divisor: 100 },
  { label: 'ledger entries', table: 'ledger_entries', column: null },
  { label: 'ledger balance, taka', table: 'ledger_entries', column: 'amount_poisha', divisor: 100 },
  { label: 'products', table: 'products', column: null },
  { label: 'stock, units', table: 'products', column: 'stock_milli', divisor: 1000 },
  { label: 'people', table: 'users', column: null },
]

/** The main rows and sums of a backup as lines for people. */
export function describeTotals(totals: Totals): string[] {
  const rows = Object.values(totals).reduce((sum, table) => sum + table.rows, 0)
  const main = LINES.map(({ label, table, column, divisor = 1 }) => {
    const value = column === null ? totals[table]?.rows : totals[table]?.sums[column]
    return `  ${label.padEnd(22)}${(Number(value ?? 0) / divisor).toLocaleString('en')}`
  })
  return [...main, `  ${'rows of all tables'.padEnd(22)}${rows.toLocaleString('en')}`]
}
