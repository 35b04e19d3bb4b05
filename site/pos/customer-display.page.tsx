import '../admin/admin.css'
import { useEffect, useReducer, useRef } from 'react'
import { Alpona } from '#components/alpona.tsx'
import { ButtonLink } from '#components/button.tsx'
import { discountLabel } from '#features/orders/ui/invoice-amounts.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { listenAsDisplay, watchPosPage } from './hardware/display-channel.ts'
import { type DisplayedSale, IDLE, nextDisplay, THANKS_MS } from './hardware/display-rules.ts'
import { FullScreenButton, useScreenOn } from './hardware/display-screen.tsx'

/** The customer display: a window of the POS computer on a second screen. It follows the POS pages of the same browser. */
export function Page() {
  const { shop } = usePageContext()
  const [{ phase, tab, at, sale }, dispatch] = useReducer(nextDisplay, IDLE)
  useEffect(() => listenAsDisplay(dispatch), [])
  useEffect(() => {
    if (phase !== 'sale' || tab === null) return
    return watchPosPage(tab, () => dispatch({ version: 1, kind: 'closed', tab }))
  }, [phase, tab])
  useEffect(() => {
    if (phase !== 'sold') return
    const timer = setTimeout(() => dispatch({ kind: 'timeout' }), THANKS_MS)
    return () => clearTimeout(timer)
  }, [phase, at])
  useScreenOn()
  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-paper" data-display={phase}>
      <header className="flex items-center gap-3 bg-leaf-800 px-4 py-2 text-white sm:px-8">
        <p className="min-w-0 truncate text-xl font-semibold sm:text-2xl">{shop.name}</p>
        <span className="ms-auto flex shrink-0 items-center gap-2 rounded-card bg-milk text-ink">
          <FullScreenButton />
          <OtherLanguage />
        </span>
      </header>
      <main className="flex min-h-0 grow flex-col">
        {phase === 'sale' && sale ? <CurrentSale sale={sale} /> : phase === 'sold' && sale ? <Thanks sale={sale} /> : <Welcome />}
      </main>
    </div>
  )
}

/** The language of this window alone: the one of the POS stays. A link, because the session may be another cashier's by now. */
function OtherLanguage() {
  const { t, lang } = useI18n()
  const other = lang === 'bn' ? 'en' : 'bn'
  return (
    <ButtonLink kind="quiet" size="small" href={`?lang=${other}`} lang={other}>
      {t('print.other-language')}
    </ButtonLink>
  )
}

function Welcome() {
  const { t } = useI18n()
  const { shop } = usePageContext()
  return (
    <div className="grid grow place-content-center gap-4 px-6 text-center">
      <Alpona className="mx-auto w-64 max-w-full text-leaf-600" />
      <h1 className="text-4xl leading-tight break-words text-leaf-800 sm:text-[3.75rem]">{shop.name}</h1>
      {shop.motto ? <p className="text-xl text-stone sm:text-2xl">{shop.motto}</p> : null}
      <p className="text-2xl sm:text-3xl">{t('pos.display.welcome')}</p>
    </div>
  )
}

function Thanks({ sale }: { sale: DisplayedSale }) {
  const { t, lang } = useI18n()
  return (
    <div role="status" className="grid grow place-content-center gap-6 px-6 text-center">
      <h1 className="text-4xl leading-tight text-leaf-800 sm:text-[3.75rem]">{t('pos.display.thanks')}</h1>
      {sale.change > 0 ? (
        <p className="text-indigo">
          <span className="block text-2xl sm:text-3xl">{t('pos.change')}</span>
          <span className="tabular-nums block text-5xl leading-tight font-semibold break-words sm:text-[6rem]" data-change>
            {formatTaka(sale.change, lang)}
          </span>
        </p>
      ) : null}
      <dl className="tabular-nums mx-auto grid w-80 max-w-full gap-2 text-xl sm:text-2xl">
        {sale.refund > 0 ? (
          <Sum label={t('pos.exchange.to-refund')} value={formatTaka(sale.refund, lang)} />
        ) : (
          <>
            <Sum label={t(totalLabel(sale))} value={formatTaka(sale.total, lang)} />
            <NotMoney sale={sale} />
            <Sum label={t('pos.display.received')} value={formatTaka(sale.received, lang)} />
          </>
        )}
      </dl>
    </div>
  )
}

function CurrentSale({ sale }: { sale: DisplayedSale }) {
  const { t, lang } = useI18n()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => void list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' }), [sale])
  const older = sale.lineCount - sale.lines.length
  const isRefund = sale.refund > 0
  const total = formatTaka(isRefund ? sale.refund : sale.total, lang)
  return (
    <div className="grid min-h-0 grow grid-rows-[minmax(0,1fr)_auto] lg:grid-cols-[minmax(0,1fr)_28rem] lg:grid-rows-1">
      <section aria-labelledby="display-lines" className="flex min-h-0 flex-col px-4 py-3 sm:px-8 sm:py-5">
        <h1 id="display-lines" className="mb-2 text-xl sm:text-2xl">
          {t('pos.display.your-items')} ({localizeDigits(lang, String(sale.lineCount))})
        </h1>
        {older > 0 ? <p className="text-stone">{t('pos.display.older', { count: localizeDigits(lang, String(older)) })}</p> : null}
        {/* A list that scrolls is reached by keyboard. */}
        <ul ref={list} tabIndex={0} className="min-h-0 grow divide-y divide-line overflow-y-auto" aria-labelledby="display-lines">
          {sale.lines.map((line, index) => (
            <li
              key={line.id}
              className={`flex items-baseline justify-between gap-4 px-2 py-2 text-lg sm:text-2xl ${index === sale.lines.length - 1 ? 'rounded-card bg-tag-100 font-semibold' : ''}`}
            >
              <span className="min-w-0">
                <span className="line-clamp-2 break-words">{line.name}</span>
                <span className="tabular-nums block text-base font-normal text-stone sm:text-xl">
                  {formatQuantity(line.quantityMilli, line.unit, lang)}
                </span>
              </span>
              <span className="tabular-nums shrink-0">{formatTaka(line.total, lang)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section
        aria-label={t('pos.summary')}
        className="flex flex-col justify-end gap-2 border-t-2 border-leaf-600 bg-milk px-4 py-3 sm:px-8 sm:py-6 lg:border-t-0 lg:border-l-2"
      >
        <dl className="tabular-nums space-y-2 text-lg sm:text-2xl">
          {sale.discount > 0 ? (
            <Sum
              label={discountLabel(t, sale.coupon ? { code: sale.coupon, discount: sale.discount } : null)}
              value={formatTaka(poisha(-sale.discount), lang)}
            />
          ) : null}
          {sale.shipping > 0 ? <Sum label={t('pos.delivery')} value={formatTaka(sale.shipping, lang)} /> : null}
          {sale.credit ? <Sum label={t('pos.exchange.value')} value={formatTaka(poisha(-sale.credit), lang)} /> : null}
          <div className="font-semibold">
            <dt className="text-2xl sm:text-3xl">{t(totalLabel(sale))}</dt>
            <dd className={`leading-tight break-words ${total.length > 9 ? 'text-5xl' : 'text-5xl sm:text-[4.5rem]'}`} data-total>
              {total}
            </dd>
          </div>
          <NotMoney sale={sale} />
          {sale.change > 0 ? (
            <>
              <Sum label={t('pos.display.received')} value={formatTaka(sale.received, lang)} />
              <Sum label={t('pos.change')} value={formatTaka(sale.change, lang)} isStrong />
            </>
          ) : null}
        </dl>
      </section>
    </div>
  )
}

/** An exchange has an amount to pay, or one to refund. */
const totalLabel = ({ refund, credit }: DisplayedSale) =>
  refund > 0 ? 'pos.exchange.to-refund' : credit ? 'pos.exchange.to-pay' : 'pos.total'

/** The parts of the total that are not paid in money. */
function NotMoney({ sale: { storeCredit, onAccount } }: { sale: DisplayedSale }) {
  const { t, lang } = useI18n()
  return (
    <>
      {storeCredit ? <Sum label={t('pos.store_credit')} value={formatTaka(storeCredit, lang)} /> : null}
      {onAccount ? <Sum label={t('pos.account.on-account')} value={formatTaka(onAccount, lang)} /> : null}
    </>
  )
}

function Sum({ label, value, isStrong = false }: { label: string; value: string; isStrong?: boolean }) {
  return (
    <div className={`flex flex-wrap items-baseline justify-between gap-x-4 ${isStrong ? 'font-semibold text-indigo' : ''}`}>
      <dt>{label}</dt>
      <dd className={isStrong ? 'text-3xl sm:text-5xl' : ''}>{value}</dd>
    </div>
  )
}
