import type { ShiftPayment } from '#features/pos/shift-queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { CloseShift } from './close-shift-form.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'

export interface Props {
  shiftId: number
  payments: ShiftPayment[]
}

/** The evening at the till: what is in the drawer, what came by wallet and bank, and what does not match. */
export function Page({ shiftId, payments }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('pos.close-shift')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <CloseShift shiftId={shiftId} payments={payments} />
    </AdminLayout>
  )
}
