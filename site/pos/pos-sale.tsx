import { memo, useCallback } from 'react'
import type { FavouriteTile } from '#features/pos/favourites.server.ts'
import type { PosTerms } from '#features/pos/pos-terms.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { translate } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { PosState } from './connection-state.tsx'
import { isSameCustomer, PosCustomer } from './customer.tsx'
import { useShopTerms } from './device/shop-terms.ts'
import { ExchangeBanner } from './exchange-banner.tsx'
import { Favourites } from './favourites.tsx'
import { isEntered } from './held-on-device.ts'
import { LastSalePanel } from './last-sale.tsx'
import { LiveWeight } from './hardware/live-weight.tsx'
import { useCustomerDisplay } from './hardware/use-customer-display.ts'
import { PosPayment } from './payment.tsx'
import { PrintInPlace } from './print-in-place.tsx'
import { newSale } from './sale.ts'
import { SaleDialogs } from './sale-dialogs.tsx'
import { PosLines } from './sale-lines.tsx'
import { PosBar, PosSummary } from './sale-summary.tsx'
import { SaleToolbar } from './sale-toolbar.tsx'
import { ScanBox } from './scan-box.tsx'
import { ShiftNotice } from './shift-notice.tsx'
import { usePosSale } from './use-pos-sale.ts'
import type { Cashier } from './use-submit-sale.ts'

// Each renders only when its own part of the sale changes: a scan, a placed sale and its receipt render the page several times.
const Scan = memo(ScanBox)
const Products = memo(Favourites)
const Customer = memo(PosCustomer, isSameCustomer)
const Payment = memo(PosPayment)
const Lines = memo(PosLines)
const State = memo(PosState)

interface PosSaleProps extends PosTerms {
  cashier: Cashier
  scales: ScaleLabelRule[]
  favourites: FavouriteTile[]
  /** When the open shift was opened, where that was on an earlier day. */
  openSince: string | null
}

/** The current sale in three panes on wide screens: products, lines, payment. Each scrolls inside; total and button stay in sight. */
export function PosSale({ scales, favourites, openSince, cashier, ...loaded }: PosSaleProps) {
  const { t, lang } = useI18n()
  const { areas, roundsCash, walkInSales, days, methods } = useShopTerms(loaded)
  const model = usePosSale({ areas, roundsCash, walkInSales, days, cashier })
  const { store, sale, state, isOnline, offlineApproval, scans, submission, change, confirm } = model
  const { receipt, print } = model.last
  // In the render of its first line, not in the one after.
  const last = isEntered(sale) ? null : model.last.shown
  const { submit, busy, errors } = submission
  useCustomerDisplay(sale, state)
  const rejection = useCallback(() => (store.isSending ? translate(lang)('pos.placing') : null), [store, lang])
  const adding = { rejection, onAdd: scans.addProduct, problemOf: scans.problemOf, saleKey: scans.saleKey }

  async function clear() {
    if (model.holding.isSending()) return
    const needsConfirmation = sale.lines.length > 0 || Boolean(sale.exchange)
    if (needsConfirmation && !(await confirm.ask({ title: t('pos.clear-title'), text: t('pos.clear-text'), action: t('pos.clear') })))
      return
    model.setSale(newSale())
    model.box.current?.focus()
  }
  async function cancelExchange() {
    const question = { title: t('pos.exchange.cancel'), text: t('pos.exchange.cancel-text'), action: t('pos.exchange.cancel') }
    if (await confirm.ask(question)) change({ exchange: null })
    model.box.current?.focus()
  }
  const terms = { areas, walkInSales, isCollectionOffered: days.isCollectionOffered }
  const customer = { sale, ...terms, days: state.days.join(' '), rejection: state.rejection }
  const summary = { count: sale.lines.length, state, busy, onSubmit: () => void submit(), onProblem: model.focusProblem }
  return (
    <div className="flex flex-col gap-4 pb-28 lg:grid lg:h-full lg:grid-rows-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(20rem,0.95fr)_20rem] lg:gap-3 lg:pb-0 xl:grid-cols-[minmax(0,1fr)_minmax(20rem,0.95fr)_24rem]">
      <div className="flex min-w-0 flex-col lg:contents">
        <div data-pane="products" className="max-lg:contents lg:flex lg:min-h-0 lg:flex-col">
          <Scan box={model.box} scanRef={scans.scanRef} scales={scales} {...adding} />
          <Products tiles={favourites} box={model.box} {...adding} />
          <ShiftNotice cashier={cashier} openSince={openSince} />
          <State mustSignIn={model.device.mustSignIn} onShowUnsent={model.openUnsent} />
        </div>
        <div data-pane="lines" className="min-w-0 lg:flex lg:min-h-0 lg:flex-col">
          {sale.exchange ? (
            <ExchangeBanner
              methods={methods}
              exchange={sale.exchange}
              state={state}
              errors={errors}
              onChange={(exchange) => change({ exchange })}
              onCancel={() => void cancelExchange()}
            />
          ) : null}
          <SaleToolbar model={model} onClear={() => void clear()} />
          <LiveWeight
            lines={sale.lines}
            saleKey={sale.key}
            last={scans.last}
            onTake={(id, quantity) => model.changeLine(id, { quantity })}
          />
          {/* Contained: a new line lays out its pane, not the page. */}
          <div className="@container relative lg:min-h-0 lg:grow lg:basis-0 lg:overflow-y-auto lg:rounded-card lg:contain-strict">
            {last ? (
              <LastSalePanel last={last} receipt={receipt} onPrint={print} />
            ) : (
              <Lines
                lines={sale.lines}
                saleKey={sale.key}
                errors={errors}
                last={scans.last}
                isOnline={isOnline}
                needsSupervisor={offlineApproval.rejection !== null}
                onChange={model.changeLine}
                onRemove={model.removeLine}
              />
            )}
          </div>
        </div>
      </div>
      <div data-pane="payment" className="min-w-0 lg:flex lg:min-h-0 lg:flex-col lg:gap-2">
        <div className="pos-payment relative space-y-4 lg:min-h-0 lg:grow lg:basis-0 lg:space-y-2 lg:overflow-y-auto lg:rounded-card lg:contain-strict">
          <Customer {...customer} onChange={change} />
          <Payment
            sale={sale}
            state={state}
            errors={errors}
            methods={methods}
            discountRejection={offlineApproval.isDiscountTooHigh && !isOnline ? offlineApproval.rejection : null}
            onChange={change}
          />
        </div>
        <PosSummary {...summary} />
      </div>
      <PosBar {...summary} />
      {confirm.dialog}
      <PrintInPlace receipt={receipt} />
      <SaleDialogs model={model} cashier={cashier} />
    </div>
  )
}
