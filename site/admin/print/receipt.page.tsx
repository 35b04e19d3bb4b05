import { expectedDates, expectedText } from '#features/orders/expected-delivery-rules.ts'
import type { PrintedOrder } from '#features/orders/printing/printable-order.server.ts'
import { isLive } from '#features/orders/rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { TrackingCode } from '#features/orders/ui/printable-invoice.tsx'
import { useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import { amountToSpell, orderTotals, returnedWorth } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { useReceiptPrinter } from '../../pos/hardware/use-printer.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { PrintPreview } from './print-preview.tsx'
import { PrintableReceipt, type PrintableReceiptProps } from './printable-receipt.tsx'

export interface Props {
  printed: PrintedOrder
  /** Opened from the order's page, to which the back link leads. */
  isFromOrder: boolean
  printsImmediately: boolean
}

/** Print view of a POS receipt. */
export function Page({ printed: { order, tracking }, isFromOrder, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const printer = useReceiptPrinter()
  const isCashSale = order.payments.some(({ kind, method }) => kind === 'counter' && method === 'cash')
  const expected = expectedText(order, lang)
  const lines = order.lines.map(
    ({ product_id: id, name, tag_number: tag, quantity, unit, price_on_order: price, line_total: total, delivery_on }) => ({
      id,
      name: [name, tag, expectedDates(order).length === 2 ? formatDay(delivery_on, lang) : null].filter(Boolean).join(' · '),
      quantity,
      unit,
      price,
      total,
    }),
  )
  const toPos = can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null
  const toOrder = can('orders.read')
    ? { href: `/admin/orders/update/${order.id}`, label: t('paper.back-order', { id: localizeDigits(lang, String(order.id)) }) }
    : null
  return (
    <PrintPreview
      printsImmediately={printsImmediately}
      print={(isFirst) => void printer.print({ isCashSale: isFirst && isCashSale })}
      {...(printer.problem ? { note: printer.problem } : {})}
      back={isFromOrder ? null : toPos}
      parent={isFromOrder || !toPos ? toOrder : null}
    >
      <PrintableReceipt
        heading={`${t('invoice.no')} ${localizeDigits(lang, String(order.id))}`}
        at={new Date(order.placed_at)}
        name={order.name}
        phone={order.phone}
        lines={lines}
        sums={useSums(order)}
        spelled={amountToSpell(orderTotals(order), order.status)}
        notice={isLive(order.status) ? undefined : <span className="text-lg uppercase">{t(`order-status.${order.status}`)}</span>}
      >
        {expected === null ? null : <p>{t('invoice.next-day', { day: expected })}</p>}
        <TrackingCode tracking={tracking} className="size-[28mm]" />
        <p>{t('paper.track')}</p>
      </PrintableReceipt>
    </PrintPreview>
  )
}

function useSums(order: OrderJson): PrintableReceiptProps['sums'] {
  const { t } = useI18n()
  const methodName = useMethodName()
  const totals = orderTotals(order)
  return [
    { label: t('summary.subtotal'), amount: order.subtotal },
    ...(order.shipping_cost > 0 ? [{ label: t('summary.delivery'), amount: order.shipping_cost }] : []),
    ...(order.discount > 0 ? [{ label: t('summary.discount'), amount: -order.discount }] : []),
    ...(totals.asOrdered === null ? [] : [{ label: t('invoice.as-ordered'), amount: totals.asOrdered }]),
    ...order.settlements.map((one) => ({ label: `${t('ledger.settlement')} ${one.tag_number ?? ''}`, amount: one.difference })),
    ...(returnedWorth(order) === 0 ? [] : [{ label: t('ledger.return'), amount: returnedWorth(order) }]),
    ...(totals.closed === 0 ? [] : [{ label: t(`order-status.${order.status}`), amount: totals.closed }]),
    { label: t('summary.total'), amount: totals.charged, strong: true },
    ...order.payments.map(({ kind, method, amount }) => ({ label: `${t(`ledger.${kind}`)} (${methodName(method)})`, amount })),
    { label: t(`invoice.standing.${totals.state}`), amount: totals.state === 'none' ? null : totals.amount, strong: true },
  ]
}
