import { memo } from 'react'
import { createPortal } from 'react-dom'
import { OrderReceipt } from '../admin/print/receipt.page.tsx'
import { DeviceReceipt } from './offline-receipt.tsx'
import type { Receipt } from './use-receipts.ts'

/** The receipt that the POS prints: off the screen, and alone on the printed page (site/admin/print/receipt.css). */
export const PrintInPlace = memo(function PrintInPlace({ receipt }: { receipt: Receipt | null }) {
  if (receipt === null) return null
  const { sale, printed, isCopy } = receipt
  return createPortal(
    <div data-print-in-place aria-hidden="true">
      {printed ? <OrderReceipt {...printed} isCopy={isCopy} /> : <DeviceReceipt {...sale} isCopy={isCopy} />}
    </div>,
    document.body,
  )
})
