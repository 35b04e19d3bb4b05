import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** One shift: times, sales, expected and counted amounts. */
export function Shift({ shift }: { shift: ShiftReport }) {
  const { t, lang } = useI18n()
  const register = shift.register && t('print.register', { name: localizeDigits(lang, shift.register) })
  const isBlind = shift.methods.every(({ expected }) => expected === null)
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  const row = (label: string, value: string) => (
    <div className="flex justify-between gap-4">
      <dt className="text-stone">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
  return (
    <section
      aria-labelledby={`shift-${shift.id}`}
      className="break-inside-avoid rounded-card border border-line bg-milk p-4 in-data-receipt:rounded-none in-data-receipt:border-0 in-data-receipt:border-t in-data-receipt:border-dashed in-data-receipt:border-black in-data-receipt:p-0 in-data-receipt:pt-1"
    >
      <h2 id={`shift-${shift.id}`} className="mb-2 flex flex-wrap items-center justify-between gap-2 text-lg">
        {shift.cashier}
        <span className="text-sm font-normal text-stone">
          {[t('pos.shift-title', { id: localizeDigits(lang, String(shift.id)) }), register].filter(Boolean).join(' · ')}
        </span>
      </h2>
      <dl className="tabular-nums mb-3 space-y-1">
        {row(t('pos.opened'), formatFullDateTime(new Date(shift.opened_at), lang))}
        {shift.closed_at
          ? row(t('pos.closed'), formatFullDateTime(new Date(shift.closed_at), lang))
          : row(t('pos.status'), t('pos.still-open'))}
        {row(t('pos.sales'), localizeDigits(lang, String(shift.sales)))}
        {row(t('pos.opening-cash'), taka(shift.opening_cash))}
        {row(t('pos.cash-moves'), `+${taka(shift.cash_in)} / ${taka(-shift.cash_out)}`)}
        {shift.drawer_openings > 0 ? row(t('pos.drawer-openings'), localizeDigits(lang, String(shift.drawer_openings))) : null}
      </dl>
      <table className="tabular-nums w-full text-end text-sm">
        <thead>
          <tr className="border-b border-line text-stone">
            <th scope="col">
              <span className="sr-only">{t('pos.payment')}</span>
            </th>
            {isBlind ? null : <th scope="col">{t('pos.expected')}</th>}
            <th scope="col">{t('pos.counted')}</th>
            {isBlind ? null : <th scope="col">{t('pos.difference')}</th>}
          </tr>
        </thead>
        <tbody>
          {shift.methods.map(({ method, expected, counted }) => {
            const difference = counted === null || expected === null ? null : takaToPoisha(Math.round((counted - expected) * 100) / 100)
            return (
              <tr key={method}>
                <th scope="row" className="py-1 text-start">
                  {t(`pos.${method}`)}
                </th>
                {expected === null ? null : <td>{taka(expected)}</td>}
                <td>{counted === null ? '–' : taka(counted)}</td>
                {isBlind ? null : (
                  <td className={difference ? 'font-semibold text-terracotta' : ''}>
                    {difference === null ? '–' : formatTaka(difference, lang)}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
      {shift.note ? <p className="mt-2 border-s-4 border-tag ps-3">{shift.note}</p> : null}
    </section>
  )
}

/** Names the report of a shift: X while it is open, Z with its number afterwards. */
export function useReportName(): (shift: ShiftReport) => string {
  const { t, lang } = useI18n()
  return ({ z_number }) => (z_number === null ? t('pos.x-report') : t('pos.z-report', { number: localizeDigits(lang, String(z_number)) }))
}
