import type { ExtraMethod } from '#features/pos/rules.ts'
import type { ShiftPayment } from '#features/pos/shift-queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { CloseShift } from './close-shift-form.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'

export interface Props {
  shiftId: number
  payments: ShiftPayment[]
  /** The extra payment methods to count. */
  methods: ExtraMethod[]
}

/** Closing a shift: cash in the drawer, payments by wallet and bank, and their differences. */
export function Page({ shiftId, payments, methods }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('pos.close-shift')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <CloseShift shiftId={shiftId} payments={payments} methods={methods} />
    </AdminLayout>
  )
}
