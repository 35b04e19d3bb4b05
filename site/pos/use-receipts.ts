import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PrintedOrder } from '#features/orders/printing/printable-order.server.ts'
import { afterPaint } from './after-paint.ts'
import { posCall } from './device/network.ts'
import { useReceiptPrinter } from './hardware/use-printer.ts'
import type { LastSale } from './use-last-sale.ts'

const TIMEOUT_MS = 5000

/** A receipt as it was printed last. */
export interface Receipt {
  sale: LastSale
  /** The order as the shop has it; null where it could not be loaded, or does not exist yet. */
  printed: PrintedOrder | null
  /** Printed once more. */
  isCopy: boolean
}

/**
 * Prints receipts from the POS page, which stays open, one after the other. A receipt is loaded from the shop; without an answer the sale
 * is printed as this device knows it, without the code of the tracking page.
 */
export function useReceipts() {
  const printer = useReceiptPrinter()
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const queue = useRef(Promise.resolve())
  async function print(sale: LastSale, isFirst: boolean): Promise<void> {
    // The cashier sees the cleared screen first.
    await new Promise<void>(afterPaint)
    const printed = sale.orderId === null ? null : await loadReceipt(sale.orderId)
    flushSync(() => setReceipt({ sale, printed, isCopy: !isFirst }))
    await document.fonts.ready
    // Printing blocks the page.
    await new Promise<void>(afterPaint)
    // The drawer opens with the first print only.
    await printer.print({ isCashSale: isFirst && hasCash(sale) })
  }
  return {
    receipt,
    /** `isFirst`: by itself, after the sale. */
    print: (sale: LastSale, isFirst: boolean) => {
      queue.current = queue.current.then(() => print(sale, isFirst)).catch(() => {})
    },
  }
}

/** Whether cash goes into the drawer, or out of it for an exchange. */
const hasCash = ({ queued: { body } }: LastSale) =>
  cashOf(body.transactions) > 0 || cashOf((body.exchange as { refund?: object } | undefined)?.refund) > 0

const cashOf = (amounts: unknown) => Number((amounts as { cash?: number } | undefined)?.cash ?? 0)

async function loadReceipt(orderId: number): Promise<PrintedOrder | null> {
  const answer = await posCall<PrintedOrder>(`/api/admin/quick-orders/receipts/${orderId}`, { timeoutMs: TIMEOUT_MS })
  return answer.ok && answer.body?.order ? answer.body : null
}
