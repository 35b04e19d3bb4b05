import type { ExtraMethod } from '#features/pos/rules.ts'
import type { ShiftPayment } from '#features/pos/shift-queries.server.ts'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { CloseShift } from './close-shift-form.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'

export interface Props {
  shiftId: number
  payments: ShiftPayment[]
  /** The extra payment methods to count. */
  methods: ExtraMethod[]
  /** The cashier, where a manager closes another's shift; null for the own one. */
  of: { id: number; name: string; openedAt: string } | null
}

/** Closing a shift: cash in the drawer, payments by wallet and bank, and their differences. */
export function Page(props: Props) {
  const { t, lang } = useI18n()
  const { of } = props
  const back = of ? { href: '/admin/quick-orders/shifts', label: t('pos.shifts') } : { href: '/admin/quick-orders', label: t('pos.title') }
  return (
    <AdminLayout title={t('pos.close-shift')} back={back}>
      {of ? (
        <p className="mb-4 max-w-2xl rounded-card bg-tag-100 p-3">
          {t('pos.close-of', { name: of.name, time: formatFullDateTime(new Date(of.openedAt), lang) })}
        </p>
      ) : null}
      <CloseShift {...props} />
    </AdminLayout>
  )
}
