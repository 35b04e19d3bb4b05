import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { DayReport } from '#features/pos/day-report.server.ts'
import type { LeftShift, ShiftReport } from '#features/pos/shift-queries.server.ts'
import { drawersOf } from '#features/pos/drawer-rules.ts'
import type { RegisterFilter } from '#features/pos/register-filter.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate, formatFullDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { DayReportTables } from '#features/pos/ui/day-report.tsx'
import { DrawerReport } from '#features/pos/ui/drawer-report.tsx'
import { Shift, useReportName } from '#features/pos/ui/shift-report.tsx'
import { DayField } from '../admin/ui/day-input.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { dayQuery, RegisterFilterField } from './register-filter.tsx'

export interface Props {
  day: string
  shifts: ShiftReport[]
  /** Shifts of earlier days that are open. */
  left: LeftShift[]
  /** A typed number of a Z report that was not found, or empty. */
  z: string
  /** Null for a cashier who counts blind. */
  report: DayReport | null
  filter: RegisterFilter
}

/** The day report and all shifts of a day. */
export function Page({ day, shifts, left, report, z, filter }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const nameOf = useReportName()
  const query = dayQuery(day, filter)
  const drawers = drawersOf(shifts)
  return (
    <AdminLayout
      title={t('pos.shifts')}
      back={{ href: '/admin/quick-orders', label: t('pos.title') }}
      actions={
        can('pos.approve') ? (
          <ButtonLink kind="secondary" href="/admin/quick-orders/registers">
            {t('pos.registers')}
          </ButtonLink>
        ) : null
      }
    >
      <div className="mb-4 flex flex-wrap items-start gap-x-8 gap-y-3">
        <form className="flex flex-wrap items-end gap-3">
          <div className="min-w-48 grow">
            <DayField name="day" label={t('pos.day')} defaultValue={day} required />
          </div>
          <div className="min-w-32 grow empty:hidden">
            <RegisterFilterField filter={filter} />
          </div>
          <Button type="submit" kind="secondary" size="large">
            {t('pos.show')}
          </Button>
        </form>
        <form className="flex max-w-sm items-start gap-3">
          <div className="grow">
            <TextField
              name="z"
              label={t('pos.z-number')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              required
              defaultValue={z}
              error={z === '' ? undefined : t('pos.z-not-found')}
            />
          </div>
          <Button type="submit" kind="secondary" size="large" className="mt-6">
            {t('pos.show')}
          </Button>
        </form>
      </div>
      <LeftOpen left={left} />
      {shifts.length === 0 ? <p className="text-stone">{t('pos.no-shifts')}</p> : null}
      {shifts.length === 0 ? null : (
        <>
          <div className="mb-4 flex flex-wrap gap-2">
            <ButtonLink kind="secondary" href={`/admin/quick-orders/day-report?${query}&print=1`}>
              {t('pos.report.print-receipt')}
            </ButtonLink>
            <ButtonLink kind="secondary" href={`/admin/quick-orders/day-report?${query}&paper=a4&print=1`}>
              {t('pos.report.print-a4')}
            </ButtonLink>
            <ButtonLink kind="secondary" href={`/admin/quick-orders/shifts?${query}&download=1`} download>
              {t('pos.report.file')}
            </ButtonLink>
          </div>
          {report ? (
            <>
              <DayReportTables report={report} />
              {drawers.length > 0 ? <h2 className="mt-6 mb-3 text-xl">{t('pos.drawer')}</h2> : null}
              <div className="grid gap-4 xl:grid-cols-2">
                {drawers.map((drawer) => (
                  <DrawerReport key={drawer.key} drawer={drawer} />
                ))}
              </div>
              <h2 className="mt-6 mb-3 text-xl">{t('pos.report.shifts')}</h2>
            </>
          ) : null}
        </>
      )}
      <div className="grid gap-4 xl:grid-cols-2">
        {shifts.map((shift) => (
          <div key={shift.id}>
            <Shift shift={shift} />
            <p className="mt-1 flex flex-wrap gap-2">
              <ButtonLink kind="quiet" size="small" href={`/admin/quick-orders/shift-report/${shift.id}?print=1`}>
                {t('print.print')}: {nameOf(shift)}
              </ButtonLink>
              {shift.closed_at === null && can('pos.approve') ? (
                <ButtonLink kind="quiet" size="small" href={`/admin/quick-orders/close/${shift.id}`}>
                  {t('pos.close-shift')}
                </ButtonLink>
              ) : null}
            </p>
          </div>
        ))}
      </div>
    </AdminLayout>
  )
}

/** Shifts that were not closed on their day, with the way there: the report of another day does not list them. */
function LeftOpen({ left }: { left: readonly LeftShift[] }) {
  const { t, lang } = useI18n()
  if (left.length === 0) return null
  return (
    <section aria-labelledby="left-open" className="mb-4 max-w-xl rounded-card bg-tag-100 px-3 py-2">
      <h2 id="left-open" className="text-base">
        {t('pos.left-open')}
      </h2>
      <ul>
        {left.map(({ id, cashier, register, opened_at: opened }) => (
          <li key={id}>
            <a
              href={`/admin/quick-orders/shifts?day=${dhakaDate(new Date(opened))}`}
              className="tap inline-block py-1 underline underline-offset-4"
            >
              {[cashier, localizeDigits(lang, register), formatFullDateTime(new Date(opened), lang)].filter(Boolean).join(' · ')}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
