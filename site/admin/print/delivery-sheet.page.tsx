import { loadKey, loadOf, type SheetLine, type SheetOrder, type SheetStop, stopsOf } from '#features/delivery/delivery-sheet-rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { formatNumber, formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StatusChip } from '../orders/status-chip.tsx'
import { PrintPreview } from './print-preview.tsx'

export interface Props {
  day: string
  orders: SheetOrder[]
  /** There are more orders than the sheet takes. */
  isCut: boolean
  /** The list of orders that the sheet was opened from. */
  listHref: string
  printsImmediately: boolean
}

const CELL = 'py-1.5 align-top'
const HEAD = `${CELL} pe-3 text-start`

/** Print view of a day's deliveries on A4: what to load, and for each area the orders with what to collect. */
export function Page({ day, orders, isCut, listHref, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const due = orders.reduce((sum, order) => sum + order.due, 0)
  const count = formatNumber(orders.length, lang)
  return (
    <PrintPreview
      printsImmediately={printsImmediately}
      parent={{ href: listHref, label: t('admin.nav.orders') }}
      {...(isCut ? { note: t('delivery-sheet.cut', { count }) } : {})}
    >
      <article className="mx-auto my-6 max-w-[190mm] bg-white p-[12mm] shadow-soft max-sm:p-4 print:m-0 print:p-0 print:shadow-none">
        <header className="mb-4 flex flex-wrap justify-between gap-4">
          <p className="text-lg font-semibold">{shop.name}</p>
          <div className="text-end max-sm:text-start">
            <h1 className="text-lg font-semibold">
              {t('delivery-sheet.title')} · {formatFullDay(day, lang)}
            </h1>
            <p>{t('delivery-sheet.sums', { count, due: money(due, lang) })}</p>
          </div>
        </header>
        {orders.length === 0 ? <p>{t('delivery-sheet.empty')}</p> : <Load lines={loadOf(orders)} />}
        {stopsOf(orders).map((stop) => (
          <Stop key={`${stop.is_collection} ${stop.area_id}`} stop={stop} />
        ))}
      </article>
    </PrintPreview>
  )
}

/** The sums by product, in two columns: a box to tick, and the quantity. */
function Load({ lines }: { lines: SheetLine[] }) {
  const { t, lang } = useI18n()
  return (
    <section className="mb-6" aria-labelledby="load">
      <h2 id="load" className="mb-1 text-base font-semibold">
        {t('delivery-sheet.load')}
      </h2>
      <ul className="gap-x-8 text-sm sm:columns-2 print:columns-2">
        {lines.map((line) => (
          <li key={loadKey(line)} className="flex break-inside-avoid items-start gap-2 border-b border-line py-1">
            <Box />
            <span className="grow break-words">
              {line.name}
              {line.tag === null ? null : <b className="whitespace-nowrap"> {line.tag}</b>}
            </span>
            {line.tag === null ? (
              <b className="shrink-0 whitespace-nowrap tabular-nums">{formatQuantity(line.quantity_milli, line.unit, lang)}</b>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stop({ stop: { area, is_collection, orders, due } }: { stop: SheetStop }) {
  const { t, lang } = useI18n()
  return (
    <section className="mt-6">
      <h2 className="flex flex-wrap justify-between gap-x-4 text-base font-semibold">
        {is_collection ? t('delivery-sheet.collection') : (area ?? t('delivery-sheet.no-area'))}
        <span className="font-normal">{t('delivery-sheet.sums', { count: formatNumber(orders.length, lang), due: money(due, lang) })}</span>
      </h2>
      <table className="mt-1 w-full border-collapse text-sm">
        <thead className="max-sm:sr-only print:not-sr-only print:table-header-group">
          <tr className="border-b border-line">
            <th className={HEAD} scope="col">
              {t('delivery-sheet.order')}
            </th>
            <th className={HEAD} scope="col">
              {t('delivery-sheet.customer')}
            </th>
            <th className={HEAD} scope="col">
              {t('delivery-sheet.items')}
            </th>
            <th className={`${CELL} text-end`} scope="col">
              {t('delivery-sheet.due')}
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <Row key={order.id} order={order} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ order }: { order: SheetOrder }) {
  const { t, lang } = useI18n()
  return (
    <tr className="break-inside-avoid border-b border-line max-sm:grid max-sm:grid-cols-[auto_1fr] print:table-row">
      <td className={`${CELL} pe-3`}>
        <span className="flex items-start gap-2 font-semibold tabular-nums">
          <Box />
          <a href={`/admin/orders/update/${order.id}`} className="underline underline-offset-2 print:no-underline">
            {localizeDigits(lang, String(order.id))}
          </a>
        </span>
        {order.status === 'processing' ? null : <StatusChip status={order.status} />}
      </td>
      <td className={`${CELL} pe-3`}>
        <b>{shownName(order.name, lang)}</b>
        {order.phone === '' ? null : (
          <a href={callLink(order.phone)} className="tap block tabular-nums">
            {localizeDigits(lang, order.phone)}
          </a>
        )}
        {order.is_collection ? null : (
          <span className="block break-words">{[order.address, order.landmark].filter(Boolean).join(', ')}</span>
        )}
        {order.note ? <i className="block break-words">{order.note}</i> : null}
      </td>
      <td className={`${CELL} pe-3 max-sm:col-start-2`}>
        {order.part === 'only' ? null : <span className="block text-stone">{t(`delivery-sheet.${order.part}`)}</span>}
        {order.lines.map((line) => (
          <span key={line.product_id} className="block break-words">
            {line.name}{' '}
            {line.tag === null ? formatQuantity(line.quantity_milli, line.unit, lang) : <b className="whitespace-nowrap">{line.tag}</b>}
          </span>
        ))}
      </td>
      <td className={`${CELL} text-end font-semibold whitespace-nowrap tabular-nums max-sm:col-start-2`}>
        <span className="font-normal text-stone sm:hidden print:hidden">{t('delivery-sheet.due')} </span>
        {order.order_due > 0 ? money(order.due, lang) : t('delivery-sheet.paid')}
        {order.due < order.order_due ? (
          <span className="block font-normal text-stone">{t('delivery-sheet.of-due', { amount: money(order.order_due, lang) })}</span>
        ) : null}
      </td>
    </tr>
  )
}

/** A box to tick in print. */
const Box = () => <span aria-hidden="true" className="mt-0.5 size-4 shrink-0 rounded-xs border border-stone max-sm:hidden print:block" />
