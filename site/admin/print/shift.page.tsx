import type { DayReport } from '#features/pos/day-report.server.ts'
import type { ShiftReport } from '#features/pos/shift-queries.server.ts'
import { DayReportTables } from '#features/pos/ui/day-report.tsx'
import { Shift, useReportName } from '#features/pos/ui/shift-report.tsx'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { ReceiptPreview } from './receipt-preview.tsx'
import { ReceiptRoll } from './receipt-roll.tsx'

export interface Props {
  shift: ShiftReport
  /** Null for a cashier who counts blind. */
  report: DayReport | null
  printsImmediately: boolean
  /** The time of the report of an open shift. */
  now: string
}

/** Print view of a shift on the roll: the X report while it is open, the Z report with its number afterwards. */
export function Page({ shift, report, printsImmediately, now }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <ReceiptPreview printsImmediately={printsImmediately} back={{ href: '/admin/quick-orders/shifts', label: t('pos.shifts') }}>
      <ReceiptRoll>
        <header className="mb-2 text-center">
          <p className="text-lg leading-tight font-semibold">{shop.name}</p>
          <h1 className="font-semibold">{useReportName()(shift)}</h1>
          <p>{formatFullDateTime(new Date(shift.closed_at ?? now), lang)}</p>
        </header>
        {report ? <DayReportTables report={report} isReceipt /> : null}
        <div className="mt-3">
          <Shift shift={shift} />
        </div>
      </ReceiptRoll>
    </ReceiptPreview>
  )
}
