import { useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { within } from '#lib/async/within.ts'
import { useI18n } from '#page/page-context.tsx'
import { type DeviceSettings, deviceSettings } from './device-settings.ts'
import { drawerJob, receiptJob } from './escpos.ts'
import { type PrintProblem, sendToPrinter } from './printer-port.ts'
import { drawReceipt } from './receipt-drawing.ts'

/** How long a print waits for fonts and pictures that load. */
const MAX_LOAD_MS = 3000

/** Jobs run one after the other: a port opens once. */
let queue: Promise<unknown> = Promise.resolve()

function send(job: Uint8Array): Promise<PrintProblem | null> {
  const result = queue.then(() => sendToPrinter(job, deviceSettings().printer))
  queue = result.catch(() => {})
  return result
}

/** Whether the printer of this counter opens a cash drawer. */
export const hasDrawer = ({ printer }: Pick<DeviceSettings, 'printer'>): boolean =>
  printer.kind !== 'browser' && printer.port !== null && printer.opensDrawer

/** Opens the cash drawer without a receipt, where the settings have one. Null: done. */
export const openDrawer = async (): Promise<PrintProblem | null> =>
  hasDrawer(deviceSettings()) ? send(drawerJob()).catch(() => 'stopped' as const) : null

/** Prints a receipt element on the chosen printer. Null: done. `browser`: the browser's print is chosen. */
export async function printReceipt(receipt: HTMLElement, isCashSale: boolean): Promise<PrintProblem | 'browser' | null> {
  const { printer } = deviceSettings()
  if (printer.kind === 'browser') return 'browser'
  // A picture that cannot be loaded is left out, and so is one that stalls: a receipt and its drawer do not wait for a logo.
  const pictures = [...receipt.querySelectorAll('img')].map((image) => image.decode().catch(() => {}))
  await within(Promise.all([document.fonts.ready, ...pictures]), MAX_LOAD_MS).catch(() => {})
  const job = receiptJob(drawReceipt(receipt, printer.dots), { opensDrawer: isCashSale && printer.opensDrawer })
  return send(job)
}

/**
 * `print` prints the receipt of the page: on the receipt printer of this counter, or by the browser where none is chosen
 * or it fails. `problem` says why the browser printed.
 */
export function useReceiptPrinter() {
  const { t } = useI18n()
  const [problem, setProblem] = useState<string | null>(null)
  /** `isCashSale` opens the drawer, where the settings say so; never for a second print. */
  async function print({ isCashSale = false } = {}): Promise<void> {
    const receipt = document.querySelector<HTMLElement>('[data-receipt]:not([data-test-print])')
    const result = receipt ? await printReceipt(receipt, isCashSale).catch(() => 'stopped' as const) : 'browser'
    if (result === null) return setProblem(null)
    if (result !== 'browser') {
      const text = `${t(`pos.printer.failed.${result}`)} ${t('pos.printer.by-browser')}`
      setProblem(text)
      showToast(text, { kind: 'error' })
      // The message is on the page before the print dialog stops it.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    window.print()
  }
  return { print, problem }
}
