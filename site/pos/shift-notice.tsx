import { Button } from '#components/button.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { useShiftClosed } from './device/open-shift.ts'

interface ShiftNoticeProps {
  cashier: { id: number; shiftId: number | null }
  /** When the shift was opened, where that was on an earlier day. */
  openSince: string | null
}

/** Says that the shift of this page was closed on another screen, or is of an earlier day. The begun sale survives the reload. */
export function ShiftNotice({ cashier, openSince }: ShiftNoticeProps) {
  const { t, lang } = useI18n()
  const isClosed = useShiftClosed(cashier)
  return (
    <>
      <div role="alert" data-shift-closed={isClosed || undefined}>
        {isClosed ? (
          <div className="mb-3 flex flex-wrap items-center gap-3 rounded-card border-2 border-terracotta bg-milk p-3">
            <AlertIcon size={22} className="text-terracotta" />
            <p className="min-w-0 grow basis-60 font-semibold">{t('pos.shift-closed-elsewhere')}</p>
            <Button onClick={() => location.reload()}>{t('pos.shift-reload')}</Button>
          </div>
        ) : null}
      </div>
      {openSince && !isClosed ? (
        <p className="mb-3 rounded-card bg-tag-100 px-3 py-2 text-sm">
          {t('pos.shift-open-since', { time: formatFullDateTime(new Date(openSince), lang) })}
        </p>
      ) : null}
    </>
  )
}
