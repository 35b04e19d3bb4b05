import { Button } from '#components/button.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'
import { useShiftClosed } from './device/open-shift.ts'

/** Says that the shift of this page was closed on another screen. The begun sale survives the reload. */
export function ShiftNotice({ cashier }: { cashier: { id: number; shiftId: number | null } }) {
  const { t } = useI18n()
  const isClosed = useShiftClosed(cashier)
  return (
    <div role="alert" data-shift-closed={isClosed || undefined}>
      {isClosed ? (
        <div className="mb-3 flex flex-wrap items-center gap-3 rounded-card border-2 border-terracotta bg-milk p-3">
          <AlertIcon size={22} className="text-terracotta" />
          <p className="min-w-0 grow basis-60 font-semibold">{t('pos.shift-closed-elsewhere')}</p>
          <Button onClick={() => location.reload()}>{t('pos.shift-reload')}</Button>
        </div>
      ) : null}
    </div>
  )
}
