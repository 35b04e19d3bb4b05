import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import { formatTaka, takaToPoisha } from '#lib/money.ts'
import { digitsIn } from '#lib/numbers.ts'
import { formatDateTime } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import { OfficeLayout } from './ui/layout.tsx'

export interface Props {
  day: string
  shifts: ShiftReport[]
}

const MEANS = ['cash', 'bkash', 'bank'] as const

/** What every till took on a day, and whether it was there in the evening. */
export function Page({ day, shifts }: Props) {
  const { t, lang } = useI18n()
  const taken = MEANS.map(
    (means, at) => [means, shifts.reduce((sum, shift) => sum + Math.round((shift.means[at]?.taken ?? 0) * 100), 0)] as const,
  )
  return (
    <OfficeLayout title={t('pos.shifts')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <form className="mb-4 flex max-w-sm items-end gap-3">
        <div className="grow">
          <TextField type="date" name="day" label={t('pos.day')} defaultValue={day} required />
        </div>
        <Button type="submit" kind="secondary" size="large">
          {t('pos.show')}
        </Button>
      </form>
      {shifts.length === 0 ? <p className="text-stone">{t('pos.no-shifts')}</p> : null}
      {shifts.length > 1 ? (
        <section aria-label={t('pos.all')} className="mb-4 rounded-card border border-line bg-tag-100 p-4">
          <h2 className="text-lg">{t('pos.all')}</h2>
          <dl className="figures flex flex-wrap gap-x-8 gap-y-1">
            {taken.map(([means, amount]) => (
              <div key={means} className="flex gap-2">
                <dt>{t(`pos.${means}`)}</dt>
                <dd className="font-semibold">{formatTaka(amount as ReturnType<typeof takaToPoisha>, lang)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
      <div className="grid gap-4 xl:grid-cols-2">
        {shifts.map((shift) => (
          <Shift key={shift.id} shift={shift} />
        ))}
      </div>
    </OfficeLayout>
  )
}

function Shift({ shift }: { shift: ShiftReport }) {
  const { t, lang } = useI18n()
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  const fact = (label: string, value: string) => (
    <div className="flex justify-between gap-4">
      <dt className="text-stone">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
  return (
    <section aria-labelledby={`shift-${shift.id}`} className="rounded-card border border-line bg-milk p-4">
      <h2 id={`shift-${shift.id}`} className="mb-2 flex flex-wrap items-center justify-between gap-2 text-lg">
        {shift.cashier}
        <span className="text-sm font-normal text-stone">{t('pos.shift-title', { id: digitsIn(lang, String(shift.id)) })}</span>
      </h2>
      <dl className="figures mb-3 space-y-1">
        {fact(t('pos.opened'), formatDateTime(new Date(shift.opened_at), lang))}
        {fact(t('pos.closed'), shift.closed_at ? formatDateTime(new Date(shift.closed_at), lang) : t('pos.still-open'))}
        {fact(t('pos.sales'), digitsIn(lang, String(shift.sales)))}
        {fact(t('pos.opening-cash'), taka(shift.opening_cash))}
        {fact(t('pos.cash-moves'), `+${taka(shift.cash_in)} / −${taka(shift.cash_out)}`)}
      </dl>
      <table className="figures w-full text-end text-sm">
        <thead>
          <tr className="border-b border-line text-stone">
            <th scope="col">
              <span className="sr-only">{t('pos.payment')}</span>
            </th>
            <th scope="col">{t('pos.expected')}</th>
            <th scope="col">{t('pos.counted')}</th>
            <th scope="col">{t('pos.difference')}</th>
          </tr>
        </thead>
        <tbody>
          {shift.means.map(({ means, expected, counted }) => {
            const off = counted === null ? null : takaToPoisha(Math.round((counted - expected) * 100) / 100)
            return (
              <tr key={means}>
                <th scope="row" className="py-1 text-start">
                  {t(`pos.${means}`)}
                </th>
                <td>{taka(expected)}</td>
                <td>{counted === null ? '–' : taka(counted)}</td>
                <td className={off ? 'font-semibold text-terracotta' : ''}>{off === null ? '–' : formatTaka(off, lang)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {shift.note ? <p className="mt-2 border-s-4 border-tag ps-3">{shift.note}</p> : null}
    </section>
  )
}
