import { expectedDates, expectedText } from '#features/orders/expected-delivery-rules.ts'
import type { CounterSale, PrintedExchange, PrintedOrder } from '#features/orders/printing/printable-order.server.ts'
import { isLive } from '#features/orders/rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { TrackingCode } from '#features/orders/ui/printable-invoice.tsx'
import { useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import { adjustmentRows, amountToSpell, discountLabel, money, orderTotals, returnedWorth } from '#features/orders/ui/invoice-amounts.ts'
import { RECEIPT_METHODS } from '#features/pos/rules.ts'
import { formatQuantity, localizeDigits, toMilli } from '#lib/format/numbers.ts'
import { dhakaDate, formatDay, formatFullDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { ReceiptPreview } from './receipt-preview.tsx'
import { PrintableReceipt, type PrintableReceiptProps } from './printable-receipt.tsx'

export interface Props {
  printed: PrintedOrder
  /** Opened from the order's page, to which the back link leads. */
  isFromOrder: boolean
  printsImmediately: boolean
}

/** Print view of a POS receipt. The POS has printed it with the sale, so it is a copy, and no drawer opens. */
export function Page({ printed, isFromOrder, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const { id } = printed.order
  const toPos = can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null
  const toOrder = can('orders.read')
    ? { href: `/admin/orders/update/${id}`, label: t('print.back-order', { id: localizeDigits(lang, String(id)) }) }
    : null
  return (
    <ReceiptPreview printsImmediately={printsImmediately} back={isFromOrder ? null : toPos} parent={isFromOrder || !toPos ? toOrder : null}>
      <OrderReceipt {...printed} isCopy={printed.sale !== null} />
    </ReceiptPreview>
  )
}

/** The receipt of an order, which the POS prints from its own page as well. */
export function OrderReceipt({ order, sale, tracking, isCopy }: PrintedOrder & { isCopy: boolean }) {
  const { t, lang } = useI18n()
  const expected = expectedText(order, lang)
  const codeLabel = t(order.is_over_counter ? 'print.return-code' : 'print.track')
  const lines = order.lines.map(
    ({ product_id: id, name, tag_number: tag, quantity, unit, price_on_order: price, line_total: total, delivery_on, note, returned }) => ({
      id,
      name: [name, tag, expectedDates(order).length === 2 ? formatDay(delivery_on, lang) : null].filter(Boolean).join(' · '),
      quantity,
      unit,
      price,
      total,
      note: [note, returned > 0 ? t('invoice.returned', { quantity: formatQuantity(toMilli(returned), unit, lang) }) : '']
        .filter(Boolean)
        .join(' · '),
    }),
  )
  return (
    <PrintableReceipt
      heading={`${t('invoice.no')} ${localizeDigits(lang, String(order.id))}`}
      at={new Date(order.placed_at)}
      name={order.name}
      phone={order.phone}
      address={[order.address, order.landmark, order.area_name].filter(Boolean).join(', ')}
      isCollection={order.is_collection}
      counter={sale ? { cashier: sale.cashier, shiftId: sale.shift_id, register: sale.register } : undefined}
      isCopy={isCopy}
      lines={lines}
      sums={useSums(order, sale, isCopy)}
      spelled={amountToSpell(orderTotals(order), order.status)}
      notice={isLive(order.status) ? undefined : <span className="text-lg uppercase">{t(`order-status.${order.status}`)}</span>}
    >
      {sale?.exchange ? <ExchangeNote exchange={sale.exchange} /> : null}
      {expected === null ? null : <p>{t(order.is_collection ? 'invoice.next-collect' : 'invoice.next-day', { day: expected })}</p>}
      <TrackingCode tracking={tracking} label={codeLabel} className="size-[28mm]" />
      <p>{codeLabel}</p>
    </PrintableReceipt>
  )
}

/** What came back for this sale: products, their value, and what was paid back. */
function ExchangeNote({ exchange: { order_id, refund, exchanged, lines } }: { exchange: PrintedExchange }) {
  const { t, lang } = useI18n()
  const paidBack = refund - exchanged
  return (
    <section className="w-full border-t border-dashed border-black pt-1 text-start" data-exchange>
      <h2 className="font-semibold">{t('pos.exchange.of', { id: localizeDigits(lang, String(order_id)) })}</h2>
      <ul>
        {lines.map(({ name_en, name_bn, unit, quantity }, index) => (
          <li key={index}>
            {lang === 'bn' ? name_bn : name_en}, {formatQuantity(toMilli(quantity), unit, lang)}
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-2">
        {t('pos.exchange.value')} <span>{money(refund, lang)}</span>
      </p>
      {paidBack > 0 ? (
        <p className="flex justify-between gap-2">
          {t('pos.exchange.paid-back')} <span>{money(paidBack, lang)}</span>
        </p>
      ) : null}
    </section>
  )
}

function useSums(order: OrderJson, sale: CounterSale | null, isCopy: boolean): PrintableReceiptProps['sums'] {
  const { t } = useI18n()
  const balanceLabel = useBalanceLabel(sale, isCopy)
  const payments = usePaymentRows(order, sale)
  const totals = orderTotals(order)
  return [
    { label: t('summary.subtotal'), amount: order.subtotal },
    ...(order.shipping_cost > 0 ? [{ label: t('summary.delivery'), amount: order.shipping_cost }] : []),
    ...(order.discount > 0 ? [{ label: discountLabel(t, order.coupon), amount: -order.discount }] : []),
    ...(totals.asOrdered === null ? [] : [{ label: t('invoice.as-ordered'), amount: totals.asOrdered }]),
    ...order.settlements.map((one) => ({ label: `${t('ledger.settlement')} ${one.tag_number ?? ''}`, amount: one.difference })),
    ...(returnedWorth(order) === 0 ? [] : [{ label: t('ledger.return'), amount: returnedWorth(order) }]),
    ...(totals.closed === 0 ? [] : [{ label: t(`order-status.${order.status}`), amount: totals.closed }]),
    ...adjustmentRows(order).map(({ key, amount }) => ({ label: t(key), amount })),
    { label: t('summary.total'), amount: totals.charged, strong: true },
    ...payments,
    ...(sale?.account ? [{ label: t('pos.account.on-account'), amount: sale.account.amount }] : []),
    { label: t(`invoice.balance.${totals.state}`), amount: totals.state === 'none' ? null : totals.amount, strong: true },
    ...(sale && sale.store_credit_balance !== null ? [{ label: t('pos.credit.balance'), amount: sale.store_credit_balance }] : []),
    ...(sale?.account ? [{ label: balanceLabel, amount: sale.account.balance }] : []),
  ]
}

/** A copy names the day of the balance, which is not that of the sale. */
function useBalanceLabel(sale: CounterSale | null, isCopy: boolean): string {
  const { t, lang } = useI18n()
  if (!isCopy || !sale?.account) return t('pos.account.balance')
  return t('pos.account.balance-on', { day: formatFullDay(dhakaDate(new Date(sale.account.at)), lang) })
}

/** The payments and refunds. Cash of a POS sale is printed as handed over, followed by the change. */
function usePaymentRows({ payments }: OrderJson, sale: CounterSale | null): PrintableReceiptProps['sums'] {
  const { t } = useI18n()
  const methodName = useMethodName()
  const saleRounding = sale ? payments.find(({ kind }) => kind === 'rounding') : undefined
  // A sale without cash may have been paid in cash on account later.
  const cashPaid = sale && sale.cash > 0 ? payments.find(({ kind, method }) => kind === 'counter' && method === 'cash') : undefined
  const roundingFirst = [...payments].sort((a, b) => Number(b === saleRounding) - Number(a === saleRounding))
  return roundingFirst.flatMap((payment) => {
    const { kind, method, amount } = payment
    // What rounding adds to the payment: the opposite of its ledger entry.
    if (kind === 'rounding') return [{ label: t('ledger.rounding'), amount: -amount }]
    if (sale && payment === cashPaid)
      return [{ label: t('pos.cash'), amount: sale.cash }, ...(sale.change > 0 ? [{ label: t('pos.change'), amount: sale.change }] : [])]
    const counter = kind === 'counter' ? RECEIPT_METHODS.find((one) => one === method) : undefined
    return [{ label: counter ? t(`pos.${counter}`) : `${t(`ledger.${kind}`)} (${methodName(method)})`, amount }]
  })
}
