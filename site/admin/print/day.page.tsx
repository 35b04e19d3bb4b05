import type { DayReport } from '#features/pos/day-report.server.ts'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import { drawersOf } from '#features/pos/drawer-rules.ts'
import type { RegisterFilter } from '#features/pos/register-filter.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { DayReportTables } from '#features/pos/ui/day-report.tsx'
import { DrawerReport } from '#features/pos/ui/drawer-report.tsx'
import { Shift } from '#features/pos/ui/shift-report.tsx'
import { PrintPreview } from './print-preview.tsx'
import { ReceiptPreview } from './receipt-preview.tsx'
import { ReceiptRoll } from './receipt-roll.tsx'

export interface Props {
  day: string
  shifts: ShiftReport[]
  /** Null for a cashier who counts blind. */
  report: DayReport | null
  filter: RegisterFilter
  /** On the roll of the counter; otherwise on A4. */
  isReceipt: boolean
  printsImmediately: boolean
}

/** Print view of the POS day report. */
export function Page({ day, shifts, report, filter, isReceipt, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const back = {
    href: `/admin/quick-orders/shifts?day=${day}${filter.chosen ? `&register=${filter.chosen.id}` : ''}`,
    label: t('pos.shifts'),
  }
  const Preview = isReceipt ? ReceiptPreview : PrintPreview
  const content = (
    <>
      <header className={isReceipt ? 'mb-2 text-center' : 'mb-4'}>
        <p className="text-lg leading-tight font-semibold">{shop.name}</p>
        <h1 className="font-semibold">
          {t('pos.day-report')} · {formatFullDay(day, lang)}
        </h1>
        {filter.chosen ? <p>{t('print.register', { name: localizeDigits(lang, filter.chosen.name) })}</p> : null}
      </header>
      {report ? <DayReportTables report={report} isReceipt={isReceipt} /> : null}
      <div className={isReceipt ? 'mt-3 space-y-3' : 'mt-4 grid gap-4 print:grid-cols-2 md:grid-cols-2'}>
        {drawersOf(shifts).map((drawer) => (
          <DrawerReport key={drawer.key} drawer={drawer} />
        ))}
        {shifts.map((shift) => (
          <Shift key={shift.id} shift={shift} />
        ))}
      </div>
    </>
  )
  return (
    <Preview printsImmediately={printsImmediately} back={back}>
      {isReceipt ? (
        <ReceiptRoll>{content}</ReceiptRoll>
      ) : (
        <article className="mx-auto my-6 max-w-4xl bg-white p-6 shadow-soft print:m-0 print:max-w-none print:p-0 print:shadow-none">
          {content}
        </article>
      )}
    </Preview>
  )
}
