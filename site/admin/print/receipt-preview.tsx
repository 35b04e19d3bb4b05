import { useReceiptPrinter } from '../../pos/hardware/use-printer.ts'
import { PrintPreview, type PrintPreviewProps } from './print-preview.tsx'

interface ReceiptPreviewProps extends Omit<PrintPreviewProps, 'print' | 'note'> {
  /** The first print is of cash that was just received: it opens the drawer. */
  opensDrawer?: boolean
}

/** The print view of a receipt: printed on the receipt printer of this counter, or by the browser where none is chosen or it fails. */
export function ReceiptPreview({ opensDrawer = false, ...preview }: ReceiptPreviewProps) {
  const printer = useReceiptPrinter()
  return (
    <PrintPreview
      {...preview}
      print={(isFirst) => {
        if (isFirst && opensDrawer) printOnce()
        void printer.print({ isCashSale: isFirst && opensDrawer })
      }}
      {...(printer.problem ? { note: printer.problem } : {})}
    />
  )
}

/** A reload of the page neither prints nor opens the drawer once more. */
function printOnce(): void {
  const url = new URL(location.href)
  url.searchParams.delete('print')
  history.replaceState(history.state, '', url)
}
