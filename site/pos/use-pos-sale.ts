import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useI18n } from '#page/page-context.tsx'
import { useDevice } from './device/use-device.ts'
import { useNetwork } from './device/network.ts'
import { isEntered } from './held-on-device.ts'
import { getSaleState, type PosProblem, type Sale, type SaleShop } from './sale.ts'
import { focusField } from './focus-field.ts'
import { problemField } from './sale-problem.ts'
import { useConfirm } from '../admin/ui/confirm.tsx'
import { useFreshPrices } from './use-fresh-prices.ts'
import { useLastSale } from './use-last-sale.ts'
import { useNeedsNetwork } from './use-needs-network.ts'
import { usePlaceOrder } from './use-place-order.ts'
import { useOfflineApproval } from './use-offline-approval.ts'
import { useHoldSale } from './use-hold-sale.ts'
import { useSale } from './use-sale.ts'
import { useSaleScans } from './use-sale-scans.ts'
import { usePosKeys } from './use-shortcuts.ts'
import { useSubmission } from './use-submission.ts'
import type { Cashier } from './use-submit-sale.ts'

interface PosSaleOptions extends SaleShop {
  cashier: Cashier
}

/** State and actions of the current sale. */
export function usePosSale({ areas, roundsCash, walkInSales, days, cashier }: PosSaleOptions) {
  const { t } = useI18n()
  const { store, sale, setSale, change, changeLine, removeLine } = useSale(cashier.id)
  const device = useDevice(cashier.id)
  const isOnline = useNetwork()
  const box = useRef<HTMLInputElement>(null)
  const shop = useMemo(() => ({ areas, roundsCash, walkInSales, days }), [areas, roundsCash, walkInSales, days])
  const state = useMemo(() => getSaleState(sale, shop), [sale, shop])
  const needsNetwork = useNeedsNetwork()
  const offlineApproval = useOfflineApproval(sale)
  const confirm = useConfirm()
  const last = useLastSale({ ask: confirm.ask, sendSoon: device.sendSoon, focus: () => box.current?.focus() })
  const needsNetworkFor = state.storeCredit > 0 ? t('pos.credit.needs-network') : state.coupon ? t('pos.coupon.needs-network') : null
  const offlineRejection = state.onAccount > 0 ? t('pos.account.needs-network') : (needsNetworkFor ?? offlineApproval.rejection)
  const { submission, exchange } = useSubmission(sale, { store, shop, cashier, offlineRejection, ask: confirm.ask, ...last.events })
  const isBegun = isEntered(sale)
  // oxlint-disable-next-line react/exhaustive-deps -- when a sale begins
  useEffect(() => void (isBegun && last.hide()), [isBegun])
  useFreshPrices(sale, setSale)
  const holding = useHoldSale(store)
  const [dialog, setDialog] = useState<'hold' | 'recall' | 'unsent' | null>(null)
  const openUnsent = useCallback(() => setDialog('unsent'), [])
  const openHold = () => {
    if (holding.isSending()) return
    if (isBegun) setDialog('hold')
    else box.current?.focus()
  }
  const openRecall = () => {
    if (holding.isSending()) return
    setDialog('recall')
    void holding.refresh()
  }
  const closeDialog = () => setDialog(null)
  // At once: while a dialog is open, the page behind it takes no focus, and afterwards it returns to a field of the sale that has left.
  const leaveDialog = () => {
    flushSync(() => setDialog(null))
    box.current?.focus()
  }
  const scans = useSaleScans(box, store)
  const focusProblem = (problem: PosProblem) => focusField(problemField(problem, store.get()))
  const placeOrder = usePlaceOrder({ store, shop, submission, focusProblem })
  usePosKeys(
    { F2: 'pos-search', F4: 'pos-phone', F6: 'pos-cash' },
    {
      F3: last.print,
      F7: openHold,
      F8: openRecall,
      F9: placeOrder,
      F10: () => needsNetwork() || location.assign('/admin/quick-orders/return'),
    },
  )
  /** Loads an unsent sale for editing. It stays in the outbox until it is placed or discarded. */
  function edit(unsent: Sale) {
    setSale({ ...unsent, isUnsent: true })
    leaveDialog()
  }
  const inputs = { store, sale, setSale, change, changeLine, removeLine, edit, holding, scans }
  const view = { box, dialog, setDialog, openUnsent, openHold, openRecall, closeDialog, leaveDialog, focusProblem, confirm }
  return { ...inputs, ...view, exchange, shop, state, isOnline, device, offlineApproval, submission, last }
}

export type PosSaleModel = ReturnType<typeof usePosSale>
