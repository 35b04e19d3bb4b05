import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { Unit } from '#features/catalog/types.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import { textByData, type Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { formatKg, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { formatDateTime, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { auditedValue } from '../audit/audit-labels.ts'
import { fieldLabels } from '../audit/field-labels.ts'
import { gatewayReason } from '../payments/gateway-reason.ts'
import { CommentForm } from './comment-form.tsx'

type Event = AdminOrder['events'][number]

/** Events with a reason that the gateway gave. */
const GATEWAY_FAILURES = ['payment-failed', 'payment-cancelled', 'refund-failed']

interface TimelineProps {
  order: AdminOrder
  areas: { id: number; area_name: string }[]
  /** Takes the events with the new comment; undefined where the user may not comment. */
  onComment?: ((events: Event[]) => void) | undefined
}

/** Events of an order, newest first: time, actor, old and new values. */
export function OrderTimeline({ order, areas, onComment }: TimelineProps) {
  const { t, lang } = useI18n()
  return (
    <section className="admin-card p-4">
      <h2 className="text-lg">{t('admin-orders.timeline')}</h2>
      {onComment ? <CommentForm order={order} onComment={onComment} /> : null}
      <ol className="mt-3 space-y-3 border-s-2 border-line ps-4 text-sm">
        {order.events.map((event) => (
          <li
            key={event.id}
            className="relative before:absolute before:-start-[1.4rem] before:top-1.5 before:size-2.5 before:rounded-pill before:bg-leaf-600"
          >
            <p className="font-semibold">
              <EventTitle event={event} />
            </p>
            <Details event={event} areas={areas} />
            <p className="text-stone">
              <time dateTime={event.at}>{formatDateTime(new Date(event.at), lang)}</time> ·{' '}
              {event.by ?? t(`admin-orders.actor.${event.actor}`)}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function EventTitle({ event }: { event: Event }) {
  const { t } = useI18n()
  if (event.kind === 'status' && event.from && event.to)
    return (
      <>
        {t(`order-status.${event.from}`)} → {t(`order-status.${event.to}`)}
      </>
    )
  const key = `admin-orders.event.${event.kind}`
  const text = textByData(t)(key)
  // An unknown event shows its key.
  return <>{text === key ? event.kind : text}</>
}

function Details({ event, areas }: { event: Event; areas: { id: number; area_name: string }[] }) {
  const { t, lang } = useI18n()
  const methodName = useMethodName()
  const labels = { t, lang, product: null, names: Object.fromEntries(areas.map(({ id, area_name: name }) => [`area ${id}`, name])) }
  const text = (field: string, value: unknown) => auditedValue('order', field, value, labels)
  const { detail } = event
  if (event.kind === 'edited')
    return (
      <ul>
        {Object.entries(detail as Record<string, { from: unknown; to: unknown }>).map(([field, { from, to }]) => (
          <li key={field} className="break-words">
            <span className="text-stone">{fieldLabels(labels, 'order', field)}: </span>
            <del className="decoration-terracotta/60">{text(field, from)}</del> <ins className="no-underline">{text(field, to)}</ins>
          </li>
        ))}
      </ul>
    )
  const amount =
    typeof detail.amount === 'number' ? detail.amount : typeof detail.amountPoisha === 'number' ? detail.amountPoisha / 100 : null
  const method = typeof detail.method === 'string' ? methodName(detail.method) : ''
  const named = (key: unknown) => (typeof key === 'string' ? textByData(t)(`method.${key}`) : '')
  const words = [
    ...(event.kind === 'settled' ? settlementWords(detail as unknown as SettlementDetail, t, lang) : []),
    event.kind === 'payment-method-changed' ? `${named(detail.from)} → ${named(detail.to)}` : '',
    amount === null ? '' : money(amount, lang),
    method,
    detail.transaction_id ?? detail.transaction ?? '',
    typeof detail.day === 'string' ? formatDay(detail.day, lang) : '',
    reasonOf(event, t),
    detail.text ?? '',
  ]
  const said = words.filter((word) => typeof word === 'string' && word !== '').join(' · ')
  return (
    <>
      {said === '' ? null : <p className="wrap-anywhere whitespace-pre-line">{said}</p>}
      {event.kind === 'items-returned' ? <ReturnedItems lines={detail.lines as ReturnedItem[]} /> : null}
    </>
  )
}

/** A final weighing; grams and poisha. */
interface SettlementDetail {
  tag: string
  oldGrams: number
  newGrams: number
  /** Above zero: the price rises. */
  difference: number
}

function settlementWords({ tag, oldGrams, newGrams, difference }: SettlementDetail, t: Translate, lang: Lang): string[] {
  const amount = formatTaka(poisha(Math.abs(difference)), lang)
  const change = difference === 0 ? '' : t(difference > 0 ? 'settle.more' : 'settle.less', { amount })
  return [tag, `${formatKg(oldGrams, lang)} → ${formatKg(newGrams, lang)}`, change]
}

/** The reason of an event as a person wrote it, or as the gateway gave it. */
function reasonOf({ kind, detail }: Event, t: Translate): unknown {
  const reason = detail.reason ?? ''
  return GATEWAY_FAILURES.includes(kind) && typeof reason === 'string' ? gatewayReason(reason, t) : reason
}

/** A line of an event of returned products. */
interface ReturnedItem {
  product: string
  unit: Unit
  quantity: number
  damaged?: true
}

function ReturnedItems({ lines }: { lines: readonly ReturnedItem[] }) {
  const { t, lang } = useI18n()
  return (
    <ul>
      {lines.map(({ product, unit, quantity, damaged }, at) => (
        <li key={at} className="wrap-anywhere">
          {product}: {formatQuantity(toMilli(quantity), unit, lang)}
          {damaged ? ` · ${t('returns.damaged')}` : ''}
        </li>
      ))}
    </ul>
  )
}
