import './invoice.css'
import { PrintableInvoice } from '#features/orders/ui/printable-invoice.tsx'
import type { PrintedOrder } from '#features/orders/printing/printable-order.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useListUrl } from '../ui/list-url.ts'
import { PrintPreview } from './print-preview.tsx'

export interface Props {
  orders: PrintedOrder[]
  /** Which copies of each are printed, a page each. */
  copies: ('customer' | 'farm')[]
  /** Requested ids without an order. */
  missing: number[]
  /** Opened from the order list, to which the back link leads. */
  isBatch: boolean
  printsImmediately: boolean
}

/** Invoices on A4: one order or a morning's list, each copy on a page of its own. */
export function Page({ orders, copies, missing, isBatch, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const count = orders.length > 1 ? t('print.count', { count: localizeDigits(lang, String(orders.length)) }) : ''
  const absent = missing.length > 0 ? t('print.missing', { ids: localizeDigits(lang, missing.join(', ')) }) : ''
  const list = useListUrl('/admin/orders')
  const one = isBatch ? undefined : orders[0]?.order
  const parent = one
    ? { href: `/admin/orders/update/${one.id}`, label: t('print.back-order', { id: localizeDigits(lang, String(one.id)) }) }
    : { href: list, label: t('print.back-orders') }
  return (
    <PrintPreview
      parent={parent}
      note={[count, absent].filter(Boolean).join(' · ')}
      printsImmediately={printsImmediately && orders.length > 0}
    >
      <div className="mx-auto max-w-4xl space-y-6 p-4 print:max-w-none print:space-y-0 print:p-0">
        {orders.length === 0 ? <p className="py-12 text-center text-stone">{t('print.none')}</p> : null}
        {orders.flatMap(({ order, tracking }, at) =>
          copies.map((copy, page) => (
            <div key={`${order.id} ${copy}`} data-sheet>
              <PrintableInvoice order={order} tracking={tracking} copy={copy} heading={at + page === 0 ? 'h1' : 'h2'} />
            </div>
          )),
        )}
      </div>
    </PrintPreview>
  )
}
