import { discountLabel } from '#features/orders/ui/invoice-amounts.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { PAYMENT_METHODS, PAYMENT_TOLERANCE, type PaymentMethod, lineQuantity, posLineTotal } from '#features/pos/rules.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { PrintableReceipt } from '../admin/print/printable-receipt.tsx'
import { shortNumber, type QueuedSale } from './device/outbox-rules.ts'
import { paidBackOf } from './exchange.ts'
import { deviceRegister } from './register.ts'
import type { LastSale } from './use-last-sale.ts'

/** The receipt of a sale as this device knows it: with its short number while it is unsent, with its order number afterwards. */
export function DeviceReceipt({ queued, orderId, isCopy }: LastSale & { isCopy: boolean }) {
  const { t, lang } = useI18n()
  const { sale } = queued
  const number = shortNumber(queued.key)
  const lines = (sale?.lines ?? []).map((line) => ({
    id: line.id,
    name: line.name,
    quantity: (lineQuantity(line) ?? 0) / 1000,
    unit: line.unit,
    price: poishaToTaka(line.price),
    total: poishaToTaka(posLineTotal(line)),
    note: line.note?.trim(),
  }))
  return (
    <PrintableReceipt
      heading={orderId === null ? t('pos.receipt-number', { number }) : `${t('invoice.no')} ${localizeDigits(lang, String(orderId))}`}
      at={new Date(queued.soldAt)}
      name={sale?.walkIn && sale.name === '' ? t('pos.walk-in') : (sale?.name ?? '')}
      phone={sale?.phone ?? ''}
      address={sale?.deliver ? sale.address : ''}
      counter={{ cashier: queued.cashier.name, shiftId: sentShift(queued), register: deviceRegister() }}
      isCopy={isCopy}
      lines={lines}
      sums={useReceiptSums(queued)}
      spelled={queued.total}
      notice={orderId === null ? t('pos.receipt-not-sent') : undefined}
    >
      <HandoverNote sale={sale} />
      {orderId === null ? <p>{t('pos.receipt-keep', { number })}</p> : null}
    </PrintableReceipt>
  )
}

/** The chosen day of a delivery or collection. */
function HandoverNote({ sale }: { sale: QueuedSale['sale'] }) {
  const { t, lang } = useI18n()
  const { collect, day } = sale ?? {}
  if (day) return <p>{t(collect ? 'invoice.next-collect' : 'invoice.next-day', { day: formatLongDay(day, lang) })}</p>
  return collect ? <p>{t('pos.collect')}</p> : null
}

/** The sums of the request body, in taka. */
interface SentSums {
  sub_total: number
  shipping_cost: number
  coupon?: string
  discount: number
  total: number
  on_account?: number
  store_credit?: number
  change_amount: number
  transactions: { [method in PaymentMethod]?: number }
  shift_id: number | null
}

/** What cash rounding adds to the total: the payments less the change and the total, where they differ by more than the tolerance. */
function sentRounding({ transactions, change_amount, total, on_account = 0, store_credit = 0 }: SentSums, credit: number): number {
  const paid = Object.values(transactions).reduce((sum, amount) => sum + amount, credit)
  const difference = Math.round((paid + on_account + store_credit - change_amount - total) * 100)
  return Math.abs(difference) > PAYMENT_TOLERANCE ? difference / 100 : 0
}

const sentShift = ({ body }: QueuedSale) => (body as unknown as SentSums).shift_id ?? null

function useReceiptSums({ body, sale }: QueuedSale) {
  const { t } = useI18n()
  const sums = body as unknown as SentSums
  const paidBack = paidBackOf(body)
  const credit = sale?.exchange ? Math.min(poishaToTaka(sale.exchange.refund), sums.total) : 0
  const coupon = sums.coupon ? sale?.coupon : null
  const discount = coupon ? poishaToTaka(coupon.discount) : sums.discount
  const rounding = sentRounding(sums, credit)
  const methods = PAYMENT_METHODS.map((one) => ({ one, amount: sums.transactions[one] ?? 0 })).filter(({ amount }) => amount > 0)
  return [
    { label: t('summary.subtotal'), amount: sums.sub_total },
    ...(sums.shipping_cost > 0 ? [{ label: t('summary.delivery'), amount: sums.shipping_cost }] : []),
    ...(discount > 0 ? [{ label: discountLabel(t, coupon), amount: -discount }] : []),
    { label: t('summary.total'), amount: sums.total, strong: true },
    ...(rounding === 0 ? [] : [{ label: t('ledger.rounding'), amount: rounding }]),
    ...(credit > 0 ? [{ label: t('pos.exchange'), amount: credit }] : []),
    ...(paidBack > 0 ? [{ label: t('pos.exchange.paid-back'), amount: paidBack }] : []),
    ...methods.map(({ one, amount }) => ({ label: t(`pos.${one}`), amount })),
    ...(sums.store_credit ? [{ label: t('pos.store_credit'), amount: sums.store_credit }] : []),
    ...(sums.on_account ? [{ label: t('pos.account.on-account'), amount: sums.on_account }] : []),
    ...(sums.change_amount > 0 ? [{ label: t('pos.change'), amount: sums.change_amount }] : []),
  ]
}
