import type { Drawer, DrawerDay } from '#features/pos/drawer-rules.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

type Value = (column: DrawerDay) => Poisha | null

/** A drawer on a day: a column for each shift, and one for the day where there are several. */
export function DrawerReport({ drawer: { key, register, shifts, day } }: { drawer: Drawer }) {
  const { t, lang } = useI18n()
  const columns: DrawerDay[] = shifts.length > 1 ? [...shifts, day] : shifts
  const taka = (amount: Poisha | null) => (amount === null ? '–' : formatTaka(amount, lang))
  const row = (label: string, value: Value, strong = false) => (
    <tr className={strong ? 'border-t border-line font-semibold' : ''}>
      <th scope="row" className={`py-0.5 pe-3 text-start ${strong ? '' : 'font-normal'}`}>
        {label}
      </th>
      {columns.map((column, at) => (
        <td key={at} className="ps-3 text-end whitespace-nowrap">
          {taka(value(column))}
        </td>
      ))}
    </tr>
  )
  /** A row that most days do not have. */
  const rare = (label: string, value: Value) => (columns.some((column) => value(column) !== 0) ? row(label, value) : null)
  const minus = (amount: Poisha) => -amount as Poisha
  return (
    <section
      tabIndex={0}
      aria-labelledby={`drawer-${key}`}
      className="break-inside-avoid overflow-x-auto rounded-card border border-line bg-milk p-4 in-data-receipt:rounded-none in-data-receipt:border-0 in-data-receipt:border-t in-data-receipt:border-dashed in-data-receipt:border-black in-data-receipt:p-0 in-data-receipt:pt-1"
    >
      <h3 id={`drawer-${key}`} className="mb-2 text-lg">
        {register ? t('print.register', { name: localizeDigits(lang, register.name) }) : t('pos.drawer.no-register')}
      </h3>
      <table className="tabular-nums w-full text-sm">
        <thead className="text-stone">
          <tr className="align-bottom">
            <th scope="col">
              <span className="sr-only">{t('pos.cash')}</span>
            </th>
            {shifts.map(({ shift }) => (
              <th key={shift.id} scope="col" className="ps-3 pb-1 text-end">
                {shift.cashier}
                <span className="block font-normal whitespace-nowrap">
                  {formatTime(dhakaTime(new Date(shift.opened_at)), lang)} –{' '}
                  {shift.closed_at === null ? t('pos.still-open') : formatTime(dhakaTime(new Date(shift.closed_at)), lang)}
                </span>
              </th>
            ))}
            {shifts.length > 1 ? (
              <th scope="col" className="ps-3 pb-1 text-end">
                {t('pos.drawer.day')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rare(t('pos.drawer.between'), ({ between }) => between)}
          {row(t('pos.opening-cash'), ({ opening }) => opening)}
          {row(t('pos.drawer.sales'), ({ sales }) => sales)}
          {rare(t('pos.drawer.account'), ({ accountPayments }) => accountPayments)}
          {row(t('pos.drawer.in'), ({ cashIn }) => cashIn)}
          {row(t('pos.drawer.out'), ({ cashOut }) => minus(cashOut))}
          {row(t('pos.drawer.refunds'), ({ refunds }) => minus(refunds))}
          {row(t('pos.expected'), ({ expected }) => expected, true)}
          {row(t('pos.counted'), ({ counted }) => counted)}
          {row(t('pos.difference'), ({ difference }) => difference, true)}
        </tbody>
      </table>
    </section>
  )
}
