import './invoice.css'
import { InvoicePaper } from '#features/orders/ui/invoice-paper.tsx'
import type { PrintedOrder } from '#features/orders/papers.server.ts'
import { digitsIn } from '#lib/numbers.ts'
import { useI18n } from '#site/app-root.tsx'
import { PaperDesk } from './paper-desk.tsx'

export interface Props {
  orders: PrintedOrder[]
  /** Which copies of each are printed, a page each. */
  copies: ('customer' | 'farm')[]
  /** Ids asked for that are no orders. */
  missing: number[]
  printAtOnce: boolean
}

/** Invoices on A4: one order or a morning's list, each copy on a page of its own. */
export function Page({ orders, copies, missing, printAtOnce }: Props) {
  const { t, lang } = useI18n()
  const count = orders.length > 1 ? t('paper.count', { count: digitsIn(lang, String(orders.length)) }) : ''
  const absent = missing.length > 0 ? t('paper.missing', { ids: digitsIn(lang, missing.join(', ')) }) : ''
  return (
    <PaperDesk note={[count, absent].filter(Boolean).join(' · ')} printAtOnce={printAtOnce && orders.length > 0}>
      <div className="mx-auto max-w-4xl space-y-6 p-4 print:max-w-none print:space-y-0 print:p-0">
        {orders.length === 0 ? <p className="py-12 text-center text-stone">{t('paper.none')}</p> : null}
        {orders.flatMap(({ order, tracking }) =>
          copies.map((copy) => (
            <div key={`${order.id} ${copy}`} data-sheet>
              <InvoicePaper order={order} tracking={tracking} copy={copy} />
            </div>
          )),
        )}
      </div>
    </PaperDesk>
  )
}
