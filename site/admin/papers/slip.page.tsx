import { expectedDates, expectedText } from '#features/orders/expected-delivery-rules.ts'
import type { PrintedOrder } from '#features/orders/papers.server.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { TrackingCode } from '#features/orders/ui/invoice-paper.tsx'
import { useMethodName } from '#features/orders/ui/invoice-sums.tsx'
import { owed, returnedWorth } from '#features/orders/ui/paper-money.ts'
import { digitsIn } from '#lib/numbers.ts'
import { formatDay } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import { useRights } from '../ui/use-rights.ts'
import { PaperDesk } from './paper-desk.tsx'
import { SlipPaper, type SlipPaperProps } from './slip-paper.tsx'

export interface Props {
  printed: PrintedOrder
  /** Opened from the order's page: the way back leads there. */
  isFromOrder: boolean
  printAtOnce: boolean
}

/** The slip of an order at the counter. */
export function Page({ printed: { order, tracking }, isFromOrder, printAtOnce }: Props) {
  const { t, lang } = useI18n()
  const { can } = useRights()
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
    ? { href: `/admin/orders/update/${order.id}`, label: t('paper.back-order', { id: digitsIn(lang, String(order.id)) }) }
    : null
  return (
    <PaperDesk printAtOnce={printAtOnce} back={isFromOrder ? null : toPos} parent={isFromOrder || !toPos ? toOrder : null}>
      <SlipPaper
        heading={`${t('invoice.no')} ${digitsIn(lang, String(order.id))}`}
        at={new Date(order.placed_at)}
        name={order.name}
        phone={order.phone}
        lines={lines}
        sums={useSums(order)}
        total={order.total}
      >
        {expected === null ? null : <p>{t('invoice.next-day', { day: expected })}</p>}
        <TrackingCode tracking={tracking} className="size-[28mm]" />
        <p>{t('paper.track')}</p>
      </SlipPaper>
    </PaperDesk>
  )
}

function useSums(order: OrderJson): SlipPaperProps['sums'] {
  const { t } = useI18n()
  const methodName = useMethodName()
  return [
    { label: t('summary.subtotal'), amount: order.subtotal },
    ...(order.shipping_cost > 0 ? [{ label: t('summary.delivery'), amount: order.shipping_cost }] : []),
    ...(order.discount > 0 ? [{ label: t('summary.discount'), amount: -order.discount }] : []),
    { label: t('summary.total'), amount: order.total, strong: true },
    ...order.settlements.map((one) => ({ label: `${t('ledger.settlement')} ${one.tag_number ?? ''}`, amount: one.difference })),
    ...(returnedWorth(order) === 0 ? [] : [{ label: t('ledger.return'), amount: returnedWorth(order) }]),
    ...order.payments.map(({ kind, method, amount }) => ({ label: `${t(`ledger.${kind}`)} (${methodName(method)})`, amount })),
    { label: t('invoice.due'), amount: owed(order), strong: true },
  ]
}
