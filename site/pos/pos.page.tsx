import { useState } from 'react'
import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import type { QueuedSale } from './device/outbox-rules.ts'
import { usePosWorker } from './device/use-pos-worker.ts'
import { DevicesButton } from './hardware/devices-button.tsx'
import { OfflineReceipt } from './offline-receipt.tsx'
import { PosSale } from './pos-sale.tsx'
import { OpenShift, ShiftActions } from './shift-bar.tsx'
import type { QueuedReason } from './submit-rules.ts'

export interface Props {
  areas: AreaWithCharges[]
  /** The formats of scale labels. */
  scales: ScaleLabelRule[]
  /** Whether the cashier's shift is open. */
  isOpen: boolean
  shiftId: number | null
}

/** The POS: scan, take payment, next sale. */
export function Page({ areas, scales, isOpen, shiftId }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const { user } = usePageContext()
  const [queued, setQueued] = useState<{ queued: QueuedSale; reason: QueuedReason } | null>(null)
  const canSell = can('pos.sell')
  const cashier = { id: user?.id ?? 0, name: user?.name ?? '', shiftId }
  usePosWorker()
  if (queued?.queued.sale) return <OfflineReceipt {...queued} sale={queued.queued.sale} onBack={() => setQueued(null)} />
  return (
    <AdminLayout title={t('pos.title')} actions={isOpen ? <PosActions /> : null}>
      <div id="quick-order">
        {isOpen && canSell ? (
          <PosSale areas={areas} scales={scales} cashier={cashier} onQueued={(sale, reason) => setQueued({ queued: sale, reason })} />
        ) : canSell ? (
          <OpenShift />
        ) : (
          <p>{t('pos.only-look')}</p>
        )}
      </div>
    </AdminLayout>
  )
}

function PosActions() {
  return (
    <>
      <DevicesButton />
      <ShiftActions />
    </>
  )
}
