import './slip.css'
import { useRef } from 'react'
import type { PrintedOrder } from '#features/orders/papers.server.ts'
import type { OrderJson, OrderLineJson } from '#features/orders/types.ts'
import { money, owed, returnedWorth, TrackingCode, useMethodName } from '#features/orders/ui/invoice-paper.tsx'
import { amountInWords } from '#lib/amount-in-words.ts'
import { takaToPoisha } from '#lib/money.ts'
import { digitsIn, formatQuantity } from '#lib/numbers.ts'
import { formatDateTime } from '#lib/time.ts'
import { useI18n, useShell } from '#site/app-root.tsx'
import { useRights } from '../ui/use-rights.ts'
import { PaperDesk } from './paper-desk.tsx'
import { usePageAsLongAs } from './page-length.ts'

export interface Props {
  printed: PrintedOrder
  printAtOnce: boolean
}

/** The slip of a counter printer: 80 mm wide, as long as it needs to be. */
export function Page({ printed: { order, tracking }, printAtOnce }: Props) {
  const { t, lang } = useI18n()
  const { shop } = useShell()
  const { can } = useRights()
  const slip = useRef<HTMLElement>(null)
  usePageAsLongAs(slip)
  return (
    <PaperDesk printAtOnce={printAtOnce} back={can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null}>
      <article ref={slip} data-slip className="mx-auto my-6 bg-white p-[4mm] shadow-soft print:m-0 print:shadow-none">
        <header className="text-center">
          <p className="text-lg leading-tight font-semibold">{shop.name}</p>
          <p>{[shop.address, digitsIn(lang, shop.phone)].filter(Boolean).join(' · ')}</p>
          <h1 className="mt-1 font-semibold">
            {t('invoice.no')} {digitsIn(lang, String(order.id))}
          </h1>
          <p>{formatDateTime(new Date(order.placed_at), lang)}</p>
          <p>{[order.name, digitsIn(lang, order.phone)].filter(Boolean).join(' · ')}</p>
        </header>
        <ul className="my-2 space-y-1 border-y border-dashed border-black py-2">
          {order.lines.map((line) => (
            <SlipLine key={line.product_id} line={line} />
          ))}
        </ul>
        <Sums order={order} />
        <p className="mt-1">
          {t('paper.in-words')}: {amountInWords(takaToPoisha(order.total), lang)}
        </p>
        <footer className="mt-3 flex flex-col items-center gap-1 text-center">
          <TrackingCode tracking={tracking} className="size-[28mm]" />
          <p>{t('paper.track')}</p>
          <p className="font-semibold">{t('paper.thanks')}</p>
        </footer>
      </article>
    </PaperDesk>
  )
}

function SlipLine({ line }: { line: OrderLineJson }) {
  const { lang } = useI18n()
  return (
    <li>
      <span className="block break-words">{[line.name, line.tag_number].filter(Boolean).join(' · ')}</span>
      <span className="figures flex justify-between gap-2">
        <span>
          {formatQuantity(Math.round(line.quantity * 1000), line.unit, lang)} × {money(line.price_on_order, lang)}
        </span>
        <span>{money(line.line_total, lang)}</span>
      </span>
    </li>
  )
}

function Sums({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  const methodName = useMethodName()
  const rows: [string, number][] = [[t('summary.subtotal'), order.subtotal]]
  if (order.shipping_cost > 0) rows.push([t('summary.delivery'), order.shipping_cost])
  if (order.discount > 0) rows.push([t('summary.discount'), -order.discount])
  const settled: [string, number][] = order.settlements.map((one) => [`${t('ledger.settlement')} ${one.tag_number ?? ''}`, one.difference])
  if (returnedWorth(order) !== 0) settled.push([t('ledger.return'), returnedWorth(order)])
  const paid = order.payments.map(({ kind, method, amount }) => [`${t(`ledger.${kind}`)} (${methodName(method)})`, amount] as const)
  return (
    <dl className="figures">
      {rows.map(([label, amount]) => (
        <Sum key={label} label={label} amount={money(amount, lang)} />
      ))}
      <Sum label={t('summary.total')} amount={money(order.total, lang)} strong />
      {[...settled, ...paid].map(([label, amount], index) => (
        <Sum key={index} label={label} amount={money(amount, lang)} />
      ))}
      <Sum label={t('invoice.due')} amount={money(owed(order), lang)} strong />
    </dl>
  )
}

function Sum({ label, amount, strong = false }: { label: string; amount: string; strong?: boolean }) {
  return (
    <div className={`flex justify-between gap-2 ${strong ? 'mt-1 border-t border-black pt-1 text-lg font-semibold' : ''}`}>
      <dt className={strong ? '' : 'font-normal'}>{label}</dt>
      <dd>{amount}</dd>
    </div>
  )
}
