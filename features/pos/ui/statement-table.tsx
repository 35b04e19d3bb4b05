import type { Statement } from '#features/pos/account/account-rules.ts'
import { useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** The statement of an account: opening balance, entries by date with the running balance, closing balance. */
export function StatementTable({ statement }: { statement: Statement }) {
  const { t, lang } = useI18n()
  const methodName = useMethodName()
  const edge = (label: string, amount: Statement['opening']) => (
    <tr className="border-y border-current/30 font-semibold">
      <th scope="row" colSpan={3} className="py-1.5 text-start">
        {label}
      </th>
      <td className="text-end whitespace-nowrap">{formatTaka(amount, lang)}</td>
    </tr>
  )
  return (
    <table className="tabular-nums w-full text-sm">
      <thead>
        <tr className="text-start">
          <th scope="col" className="py-1.5 text-start">
            {t('pos.account.date')}
          </th>
          <th scope="col" className="text-start">
            {t('pos.account.entry')}
          </th>
          <th scope="col" className="ps-2 text-end">
            {t('pos.amount')}
          </th>
          <th scope="col" className="ps-2 text-end">
            {t('pos.account.running')}
          </th>
        </tr>
      </thead>
      <tbody>
        {edge(t('pos.account.opening'), statement.opening)}
        {statement.rows.map((row, index) => (
          <tr key={index} className="border-b border-current/10 align-baseline">
            <td className="py-1.5 pe-2 whitespace-nowrap">{formatDay(dhakaDate(new Date(row.at)), lang)}</td>
            <td className="pe-2">
              {t(`pos.account.kind.${row.kind}`)} · {t('pos.account.for-order', { id: localizeDigits(lang, String(row.orderId)) })}
              {row.method ? <span> ({[methodName(row.method), row.reference].filter(Boolean).join(' ')})</span> : null}
            </td>
            <td className="text-end whitespace-nowrap">{formatTaka(row.amount, lang)}</td>
            <td className="ps-2 text-end whitespace-nowrap">{formatTaka(row.balance, lang)}</td>
          </tr>
        ))}
        {statement.rows.length === 0 ? (
          <tr>
            <td colSpan={4} className="py-2 text-stone">
              {t('pos.account.no-rows')}
            </td>
          </tr>
        ) : null}
        {edge(t('pos.account.closing'), statement.closing)}
      </tbody>
    </table>
  )
}
