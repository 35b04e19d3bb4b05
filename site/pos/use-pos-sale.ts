import { useRef, useState } from 'react'
import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { useDevice } from './device/use-device.ts'
import { useNetwork } from './device/network.ts'
import { takeFromOutbox } from './device/outbox.ts'
import type { QueuedSale } from './device/outbox-rules.ts'
import { isEntered } from './parked.ts'
import { getSaleState, type PosProblem, type Sale, storeSale } from './sale.ts'
import type { QueuedReason } from './submit-rules.ts'
import { problemField } from './sale-problem.ts'
import { useFreshPrices } from './use-fresh-prices.ts'
import { useNeedsNetwork } from './use-needs-network.ts'
import { useOfflineApproval } from './use-offline-approval.ts'
import { useParking } from './use-parking.ts'
import { useSale } from './use-sale.ts'
import { useSaleScans } from './use-sale-scans.ts'
import { usePosKeys } from './use-shortcuts.ts'
import { type Cashier, useSubmitSale } from './use-submit-sale.ts'

function focusField(id: string): void {
  const field = document.getElementById(id)
  field?.scrollIntoView({ block: 'center' })
  field?.focus()
}

export interface PosSaleOptions {
  areas: AreaWithCharges[]
  cashier: Cashier
  onQueued: (sale: QueuedSale, reason: QueuedReason) => void
}

/** State and actions of the current sale. */
export function usePosSale({ areas, cashier, onQueued }: PosSaleOptions) {
  const { sale, setSale, change, changeLine, removeLine } = useSale(cashier.id)
  const device = useDevice(cashier.id)
  const isOnline = useNetwork()
  const box = useRef<HTMLInputElement>(null)
  const state = getSaleState(sale, areas)
  const needsNetwork = useNeedsNetwork()
  const offlineApproval = useOfflineApproval(sale)
  const submission = useSubmitSale({ sale, state, cashier, setSale, offlineRejection: offlineApproval.rejection, onQueued })
  useFreshPrices(sale, setSale)
  const parking = useParking(sale, setSale)
  const [dialog, setDialog] = useState<'park' | 'recall' | 'unsent' | null>(null)
  const openPark = () => (isEntered(sale) ? setDialog('park') : box.current?.focus())
  const closeDialog = () => {
    setDialog(null)
    box.current?.focus()
  }
  const scans = useSaleScans(box, sale, setSale)
  usePosKeys(
    { F2: 'pos-search', F4: 'pos-phone', F6: 'pos-cash' },
    {
      F7: openPark,
      F8: () => setDialog('recall'),
      F9: () => state.problem === null && void submission.submit(),
      F10: () => needsNetwork() || location.assign('/admin/quick-orders/return'),
    },
  )
  /** Loads an unsent sale for editing. */
  async function edit(unsent: Sale) {
    setSale(unsent)
    storeSale(unsent)
    await takeFromOutbox(unsent.key)
    setDialog(null)
  }
  const inputs = { sale, setSale, change, changeLine, removeLine, edit, parking, scans }
  const focusProblem = (problem: PosProblem) => focusField(problemField(problem, sale))
  const view = { box, dialog, setDialog, openPark, closeDialog, focusProblem }
  return { ...inputs, ...view, state, isOnline, device, offlineApproval, submission }
}

export type PosSaleModel = ReturnType<typeof usePosSale>
