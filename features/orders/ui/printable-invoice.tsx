import type { ReactNode } from 'react'
import { ShopBrand } from '#components/logo.tsx'
import { QrCode } from '#components/qr-code.tsx'
import { amountInWords } from '#lib/format/amount-in-words.ts'
import { takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatKg, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import type { QrDrawing } from '#lib/codes/qr-code.server.ts'
import { formatFullDateTime, formatLongDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { expectedDates, expectedText } from '../expected-delivery-rules.ts'
import { invoicePaymentState } from '../printing/invoice-rules.ts'
import { isLive, shownStatus } from '../rules.ts'
import type { OrderJson, OrderLineJson } from '../types.ts'
import { amountToSpell, money, orderTotals } from './invoice-amounts.ts'
import { Payments, Sums } from './invoice-totals.tsx'

interface PrintableInvoiceProps {
  order: OrderJson
  /** The QR code of the tracking page, and the URL that it contains. */
  tracking: { qr: QrDrawing; url: string }
  /** The label of the copy, with a line for the signature; absent on the customer's screen. */
  copy?: 'customer' | 'farm'
  /** A page has one h1. */
  heading?: 'h1' | 'h2'
}

/** The invoice for print, on A4. */
export function PrintableInvoice({ order, tracking, copy, heading }: PrintableInvoiceProps) {
  return (
    <article
      data-invoice
      className="overflow-hidden rounded-card border border-line bg-white shadow-soft print:rounded-none print:border-0 print:shadow-none"
    >
      <InvoiceHead order={order} copy={copy} heading={heading} />
      <div className="space-y-6 p-4 sm:p-7 print:px-0">
        <OrderFields order={order} />
        <Lines order={order}>
          <div className="grid grid-cols-1 gap-6 sm:grid-cols-2 print:grid-cols-2">
            <Payments order={order} />
            <Sums order={order} />
          </div>
          <InvoiceFoot order={order} tracking={tracking} copy={copy} />
        </Lines>
      </div>
    </article>
  )
}

function InvoiceHead({ order, copy, heading: Heading = 'h1' }: Pick<PrintableInvoiceProps, 'order' | 'copy' | 'heading'>) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <header className="relative bg-leaf-800 text-paper print:border-b-2 print:border-ink print:bg-white print:text-ink">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-7 print:px-0">
        <div className="flex items-center gap-3">
          <ShopBrand size={46} />
          <div>
            {shop.logo?.isWide ? null : <p className="text-2xl leading-tight font-semibold">{shop.name}</p>}
            <p className="text-sm opacity-90">{[shop.address, localizeDigits(lang, shop.phone)].filter(Boolean).join(' · ')}</p>
          </div>
        </div>
        {isLive(order.status) ? null : (
          <p
            data-mark
            className="-rotate-3 rounded-tag border-2 border-current px-3 py-0.5 text-xl font-semibold uppercase print:border-4 print:text-2xl"
          >
            {t(`order-status.${order.status}`)}
          </p>
        )}
        <div className="text-end max-sm:text-start">
          <p className="text-sm opacity-90">{copy ? `${t('invoice.heading')} · ${t(`print.copy.${copy}`)}` : t('invoice.heading')}</p>
          <Heading className="tabular-nums text-2xl leading-tight">
            {t('invoice.no')} {localizeDigits(lang, String(order.id))}
          </Heading>
        </div>
      </div>
      <div aria-hidden="true" className="h-0 border-t-2 border-dashed border-paper/50 print:hidden" />
    </header>
  )
}

function InvoiceFoot({ order, tracking, copy }: PrintableInvoiceProps) {
  const { t, lang } = useI18n()
  const spelled = amountToSpell(orderTotals(order), order.status)
  // Nothing is delivered after a sale over the counter; the code finds it for a return.
  const text = t(order.is_over_counter ? 'print.return-code' : 'print.track')
  const beside = 'flex items-center gap-3 text-sm font-semibold max-sm:flex-wrap'
  const code = (
    <>
      <TrackingCode tracking={tracking} label={text} className="size-24" />
      <span className="grow max-sm:basis-24">{text}</span>
    </>
  )
  return (
    <footer className="flex items-end justify-between gap-6 border-t border-line pt-4 max-sm:flex-wrap">
      {order.is_over_counter ? (
        <p className={beside}>{code}</p>
      ) : (
        <a href={tracking.url} className={`${beside} underline underline-offset-4 print:no-underline`}>
          {code}
        </a>
      )}
      <div className="grow text-end">
        {spelled === null ? null : (
          <p>
            <span className="text-stone">{t('print.in-words')}:</span> {amountInWords(takaToPoisha(spelled), lang)}
          </p>
        )}
        {copy ? (
          <div className="mt-12 flex justify-end gap-10 text-sm max-sm:gap-6">
            <span className="min-w-36 border-t border-ink pt-1 text-center">{t('print.sign-customer')}</span>
            <span className="min-w-36 border-t border-ink pt-1 text-center">{t('print.sign-farm')}</span>
          </div>
        ) : null}
      </div>
    </footer>
  )
}

interface TrackingCodeProps {
  tracking: PrintableInvoiceProps['tracking']
  label: string
  className: string
}

/**
 * The QR code of the tracking page, by which the POS finds a sale as well. Its class and attribute are specified for other printing programs.
 * It is hidden from screen readers, because its label is beside it.
 */
export function TrackingCode({ tracking, label, className }: TrackingCodeProps) {
  return (
    <span className={`invoiceQRCode block shrink-0 ${className}`} data-tracking-url={tracking.url} aria-hidden>
      <QrCode drawing={tracking.qr} label={label} className="size-full" />
    </span>
  )
}

function OrderFields({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  const expected = expectedText(order, lang)
  const { state } = orderTotals(order)
  // None for a sale that was handed over at the counter.
  const place = [order.address, order.landmark, order.area_name].filter(Boolean).join(', ')
  // On a phone the lists stand one above the other, and their values in one column.
  const list = 'grid grid-cols-[auto_1fr] wrap-anywhere content-start gap-x-4 gap-y-1 max-sm:grid-cols-[min(7.5rem,40%)_1fr]'
  return (
    <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2 print:grid-cols-2">
      <dl className={list}>
        <OrderField label={t('invoice.date')}>{formatFullDateTime(new Date(order.placed_at), lang)}</OrderField>
        {expected === null ? null : (
          <OrderField label={t(order.is_collection ? 'invoice.collect-day' : 'invoice.list-day')}>{expected}</OrderField>
        )}
        <OrderField label={t('invoice.status')}>
          <b>{t(`order-status.${shownStatus(order)}`)}</b>
        </OrderField>
        <OrderField label={t('invoice.payments')}>
          {t(isLive(order.status) && state !== 'refund-due' ? `payment-state.${invoicePaymentState(order)}` : `invoice.balance.${state}`)}
        </OrderField>
      </dl>
      <dl className={list}>
        <OrderField label={t('invoice.customer')}>
          <b>{order.name}</b>
          <span className="tabular-nums block">
            {[order.phone, order.alternate_phone]
              .filter(Boolean)
              .map((phone) => localizeDigits(lang, phone))
              .join(', ')}
          </span>
          <span className="block">{order.email}</span>
        </OrderField>
        {place ? <OrderField label={t(order.is_collection ? 'invoice.collect-at' : 'invoice.deliver-to')}>{place}</OrderField> : null}
        {order.note ? <OrderField label={t('invoice.note')}>{order.note}</OrderField> : null}
      </dl>
    </div>
  )
}

function OrderField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="font-normal text-stone">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** The minimum number of lines on the sheet with the totals, so that the signed sheet shows products. */
const LINES_WITH_THE_SUMS = 3

/** The lines. The totals are part of the same table, so that a page break never separates them from the last lines. */
function Lines({ order, children }: { order: OrderJson; children: ReactNode }) {
  const { t, lang } = useI18n()
  const parted = Math.max(0, order.lines.length - LINES_WITH_THE_SUMS)
  const rows = 'divide-y divide-line max-sm:block'
  return (
    <table className="w-full text-start max-sm:block">
      <thead className="border-b-2 border-leaf-800 text-sm max-sm:sr-only">
        <tr>
          <th className="py-1.5 text-start">
            {t('invoice.item')}
            {/* The head repeats on every sheet, so that each sheet names its order. */}
            <span className="hidden font-normal text-stone print:inline">
              {' '}
              · {t('invoice.no')} {localizeDigits(lang, String(order.id))}
            </span>
          </th>
          <th className="px-2 py-1.5 text-end">{t('invoice.quantity')}</th>
          <th className="px-2 py-1.5 text-end">{t('invoice.price')}</th>
          <th className="py-1.5 text-end">{t('invoice.amount')}</th>
        </tr>
      </thead>
      {parted === 0 ? null : (
        <tbody className={`${rows} border-b border-line`}>
          {order.lines.slice(0, parted).map((line) => (
            <Line key={line.product_id} line={line} order={order} />
          ))}
        </tbody>
      )}
      <tbody className={`${rows} print:break-inside-avoid`}>
        {order.lines.slice(parted).map((line) => (
          <Line key={line.product_id} line={line} order={order} />
        ))}
        <tr className="max-sm:block">
          <td colSpan={4} className="space-y-6 pt-6 max-sm:block">
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

function Line({ line, order }: { line: OrderLineJson; order: OrderJson }) {
  const { t, lang } = useI18n()
  const dates = expectedDates(order)
  const price = money(line.price_on_order, lang)
  const quantity = formatQuantity(toMilli(line.quantity), line.unit, lang)
  return (
    <tr className="align-top max-sm:flex max-sm:flex-wrap max-sm:justify-between max-sm:py-2">
      <td className="py-2 pe-2 max-sm:w-full max-sm:py-0 max-sm:pe-0">
        <span className="font-semibold wrap-anywhere">{line.name}</span>{' '}
        {line.tag_number ? (
          <span className="ear-tag -rotate-2 text-sm print:border print:border-ink">{t('invoice.tag', { tag: line.tag_number })}</span>
        ) : null}
        {line.note ? <span className="block text-sm break-words">– {line.note}</span> : null}
        {line.returned > 0 ? (
          <span className="block text-sm font-semibold">
            {t('invoice.returned', { quantity: formatQuantity(toMilli(line.returned), line.unit, lang) })}
          </span>
        ) : null}
        {dates.length < 2 ? null : (
          <span className="block text-sm text-stone">
            {t(line.delivery_on === dates[0] ? 'invoice.first-delivery' : 'invoice.last-delivery', {
              day: formatLongDay(line.delivery_on, lang),
            })}
          </span>
        )}
        {line.booked_kg !== null && line.booked_rate_per_kg !== null ? (
          <span className="block text-sm text-stone">
            {t('invoice.booked-at', { kg: formatKg(toMilli(line.booked_kg), lang), rate: money(line.booked_rate_per_kg, lang) })}
          </span>
        ) : null}
      </td>
      <td className="tabular-nums px-2 py-2 text-end whitespace-nowrap max-sm:p-0 max-sm:text-sm max-sm:text-stone">
        {quantity}
        <span className="sm:hidden print:hidden"> × {price}</span>
      </td>
      <td className="tabular-nums px-2 py-2 text-end whitespace-nowrap max-sm:hidden print:table-cell">
        {line.price_on_order < line.base_price ? <s className="block text-sm text-stone">{money(line.base_price, lang)}</s> : null}
        {price}
      </td>
      <td className="tabular-nums py-2 text-end font-semibold whitespace-nowrap max-sm:p-0">{money(line.line_total, lang)}</td>
    </tr>
  )
}
