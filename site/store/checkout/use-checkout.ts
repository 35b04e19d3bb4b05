import { useCallback, useEffect, useMemo, useState } from 'react'
import { chosenLines, toItemFacts } from '#features/cart/facts-rules.ts'
import { refreshedLines, type PriceChange, reductionsOf, withAcceptedPrice, withFreshTerms } from '#features/cart/fresh-rules.ts'
import { changeCart, useCart } from '#features/cart/ui/cart-store.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { type Address, addressProblems } from '#features/customers/address-rules.ts'
import { areaRefusal, chargesOf, paymentOptions, quotedPayment, reachedStep } from '#features/orders/checkout/checkout-rules.ts'
import type { AreaWithCharges, CheckoutReadiness } from '#features/orders/checkout/checkout-rules.ts'
import { type DetailsProblems, type GuestDetails, guestDetailsProblems, normalizeDetails } from '#features/orders/checkout/details-rules.ts'
import { quoteOrder } from '#features/pricing/quote-rules.ts'
import { parseAmount } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { useAddressBook } from '../addresses/use-address-book.ts'
import { useAreas } from './use-areas.ts'
import { useDraft } from './use-draft.ts'
import { useFreshProducts } from './use-fresh-products.ts'
import { useListDay } from './use-delivery-date.ts'
import { useStep } from './use-step.ts'
import { useCoupon } from './use-coupon.ts'

/** What the shop tells the cart page. */
export interface CheckoutShop {
  areas: AreaWithCharges[]
  /** The server's clock when the page was made. */
  now: string
  cutoffHour: number
  hasGateway: boolean
  /** How long an order waits for the report of an advance sent by hand. */
  advanceMinutes: number
  /** The same with a phone that is confirmed by a code. */
  advanceHours: number
  /** Taka that book a Kurbani cow. */
  advanceAmount: number
  payTo: PayTo
  /** Days between the last weighing and delivery, by the id of the category. */
  weighings: Record<number, number>
  meatYield: string
  gainLarge: string
  gainSmall: string
  account: { id: number; name: string; phone: string; email: string; phoneProven: boolean } | null
  /** The address book of who is signed in. */
  addresses: Address[]
}

/** Where an advance is sent by hand; an empty number is not offered. */
export interface PayTo {
  bank: { bank: string; branch: string; accountName: string; accountNumber: string; routingNumber: string }
  bkash: string
  nagad: string
}

/** All that the three steps share: cart, freshness, what was typed, the sums, and where the shopper is. */
export function useCheckout(shop: CheckoutShop) {
  const { t } = useI18n()
  const { items, ready: cartReady } = useCart()
  const { draft, ready: draftReady, change } = useDraft(shop.account)
  const { wanted, goOn, goBack } = useStep()
  const book = useAddressBook(shop.account, shop.addresses)
  const keepCode = useCallback((voucher: string | null) => change({ voucher }), [change])
  const voucher = useCoupon({
    isSignedIn: shop.account !== null,
    items,
    code: draft.voucher,
    onCode: keepCode,
    ready: cartReady && draftReady,
  })
  const { coupon } = voucher
  const ids = useMemo(() => items.map((item) => item.productId), [items])
  const { fresh, failed, readAnew, markGone } = useFreshProducts(ids, cartReady)
  const { areas, readAreas } = useAreas(shop.areas)
  const listDay = useListDay(shop)

  const [reductions, setReductions] = useState<ReadonlyMap<number, PriceChange>>(new Map())
  useEffect(() => {
    if (withFreshTerms(items, fresh) === items) return
    setReductions((before) => new Map([...before, ...reductionsOf(items, fresh)]))
    changeCart((now) => withFreshTerms(now, fresh))
  }, [items, fresh])

  const lines = useMemo(() => refreshedLines(items, fresh, reductions), [items, fresh, reductions])
  const saved = book.chosen
  const details: GuestDetails & { id?: number } = saved === null ? draft.details : detailsOf(saved, shop.account, draft.details)
  const area = areas.find((one) => one.id === details.area_id) ?? null
  const groups = [...new Set(items.map((item): DeliveryGroup => item.deliveryGroup))]
  const typed = parseAmount(draft.part)

  const { quote, options, option } = useMemo(() => {
    const there = lines.filter((line) => !line.gone)
    const facts = {
      products: there.map(({ item, status, stockMilli, deliveryDate }) => ({
        ...toItemFacts(item, status ?? 'in-stock'),
        stockMilli,
        deliveryOn: deliveryDate,
      })),
      area: chargesOf(area),
      coupon: coupon?.coupon ?? null,
      listOn: listDay.on,
    }
    const chosen = chosenLines(there.map((line) => line.item))
    const { deliveries } = draft
    const unpaid = quoteOrder(facts, { lines: chosen, deliveries, paymentType: null, partial: null })
    const offered = paymentOptions(unpaid, {
      hasGateway: shop.hasGateway,
      hasCattle: there.some((line) => line.item.deliveryGroup === 'cattle'),
    })
    // What costs nothing needs no choosing.
    const choice = unpaid.isFree ? 'full' : draft.choice
    const quoted = quoteOrder(facts, { lines: chosen, deliveries, ...quotedPayment(choice, typed, unpaid.partial.minimum) })
    return { quote: quoted, options: offered, option: offered.find((one) => one.choice === choice) ?? null }
  }, [lines, area, coupon, listDay.on, draft, typed, shop.hasGateway])

  // A coupon that speaks of nothing in the cart any more is cleared at once.
  const { clear } = voucher
  useEffect(() => {
    if (quote.coupon === 'not-applicable') clear(t('coupon.not-applicable'))
  }, [quote.coupon, clear, t])

  const areaIds = areas.map((one) => one.id)
  const problems: DetailsProblems = saved === null ? guestDetailsProblems(details, areaIds) : addressProblems(saved, areaIds)
  const refusedArea = areaRefusal(area, groups)
  const readiness: CheckoutReadiness = {
    isEmpty: items.length === 0,
    someGone: lines.some((line) => line.gone),
    someWrong: quote.problems.some(({ reason }) => reason === 'quantity-not-allowed' || reason === 'not-enough-stock'),
    someChanged: lines.some((line) => line.change !== null && !line.gone),
    detailsAreGood: Object.keys(problems).length === 0 && refusedArea === null,
  }

  return {
    shop,
    draft,
    change,
    book,
    /** Who and where, as written or as in the chosen address. */
    details,
    /** The order's phone is the account's own, confirmed one. */
    isPhoneConfirmed: shop.account?.phoneProven === true && normalizeDetails(details).phone === shop.account.phone,
    lines,
    listDay,
    quote,
    options,
    option,
    areas,
    area,
    groups,
    problems,
    refusedArea,
    readiness,
    voucher,
    /** The shop has refused an order: all that it was made of is asked for anew. */
    readAnew: () => {
      readAnew()
      void readAreas()
      voucher.recheck()
    },
    markGone,
    ready: cartReady && draftReady,
    /** The shop could not be asked for prices. */
    stale: failed,
    step: reachedStep(wanted, readiness),
    goOn,
    goBack,
    acceptPrice: (productId: number) => changeCart((now) => withAcceptedPrice(now, fresh, productId)),
  }
}

/** A saved address as the details of an order; an account without an email may have given one for an earlier order of this tab. */
function detailsOf(saved: Address, account: { phone: string } | null, written: GuestDetails): GuestDetails & { id: number } {
  const { is_default: _default, ...address } = saved
  return { ...address, email: saved.email || written.email, phone: saved.phone || (account?.phone ?? '') }
}

export type Checkout = ReturnType<typeof useCheckout>
