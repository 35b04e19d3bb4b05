import { useEffect, useMemo, useState } from 'react'
import { chosenLines, factsOfItem } from '#features/cart/facts-rules.ts'
import { freshLines, withAcceptedPrices, withFreshTerms } from '#features/cart/fresh-rules.ts'
import { changeCart, useCart } from '#features/cart/ui/cart-store.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { areaRefusal, chargesOf, paymentOptions, quotedPayment, reachedStep } from '#features/orders/checkout-rules.ts'
import type { AreaWithCharges, CheckoutReadiness } from '#features/orders/checkout-rules.ts'
import { guestDetailsProblems } from '#features/orders/details-rules.ts'
import { gatewayBounds } from '#features/payments/rules.ts'
import { quoteOrder } from '#features/pricing/quote-rules.ts'
import type { Coupon } from '#features/pricing/rules.ts'
import { parseAmount } from '#lib/money.ts'
import { useDraft } from './use-draft.ts'
import { useFreshProducts } from './use-fresh-products.ts'
import { useStep } from './use-step.ts'

/** What the shop tells the cart page. */
export interface CheckoutShop {
  areas: AreaWithCharges[]
  /** The server's clock when the page was made. */
  now: string
  cutoffHour: number
  hasGateway: boolean
  /** How long an order waits for an advance sent by hand. */
  advanceHours: number
  /** Taka that book a Kurbani cow. */
  advanceAmount: number
  payTo: PayTo
  /** Days between the last weighing and delivery, by the English name of the category. */
  weighings: Record<string, number>
  meatYield: string
  gainLarge: string
  gainSmall: string
  account: { name: string; phone: string; email: string } | null
}

/** Where an advance is sent by hand; an empty number is not offered. */
export interface PayTo {
  bank: { bank: string; branch: string; accountName: string; accountNumber: string; routingNumber: string }
  bkash: string
  nagad: string
}

export interface AppliedCoupon {
  code: string
  coupon: Coupon
}

/** All that the three steps share: cart, freshness, what was typed, the sums, and where the shopper is. */
export function useCheckout(shop: CheckoutShop) {
  const { items, ready: cartReady } = useCart()
  const { draft, ready: draftReady, change } = useDraft(shop.account)
  const { wanted, goOn, goBack } = useStep()
  const [coupon, setCoupon] = useState<AppliedCoupon | null>(null)
  const ids = useMemo(() => items.map((item) => item.productId), [items])
  const { fresh, failed, refresh, markGone } = useFreshProducts(ids, cartReady)

  useEffect(() => {
    if (withFreshTerms(items, fresh) !== items) changeCart((now) => withFreshTerms(now, fresh))
  }, [items, fresh])

  const lines = useMemo(() => freshLines(items, fresh), [items, fresh])
  const area = shop.areas.find((one) => one.id === draft.details.area_id) ?? null
  const groups = [...new Set(items.map((item): DeliveryGroup => item.deliveryGroup))]
  const typed = parseAmount(draft.part)

  const { quote, options, option } = useMemo(() => {
    const there = lines.filter((line) => !line.gone)
    const facts = {
      products: there.map(({ item, status, stockMilli }) => ({ ...factsOfItem(item, status ?? 'in-stock'), stockMilli })),
      area: chargesOf(area),
      coupon: coupon?.coupon ?? null,
    }
    const chosen = chosenLines(there.map((line) => line.item))
    const unpaid = quoteOrder(facts, { lines: chosen, paymentType: null, partial: null })
    const offered = paymentOptions(unpaid, {
      hasGateway: shop.hasGateway,
      hasCattle: there.some((line) => line.item.deliveryGroup === 'cattle'),
    })
    // What costs nothing needs no choosing.
    const choice = unpaid.isFree ? 'full' : draft.choice
    const quoted = quoteOrder(facts, { lines: chosen, ...quotedPayment(choice, typed, unpaid.partial.minimum) })
    return { quote: quoted, options: offered, option: offered.find((one) => one.choice === choice) ?? null }
  }, [lines, area, coupon, draft.choice, typed, shop.hasGateway])

  const partBound = option?.choice === 'partial' && typed !== null ? gatewayBounds(typed) : null
  const problems = guestDetailsProblems(
    draft.details,
    shop.areas.map((one) => one.id),
  )
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
    lines,
    quote,
    options,
    option,
    partBound,
    area,
    groups,
    problems,
    refusedArea,
    readiness,
    coupon,
    setCoupon,
    refresh,
    markGone,
    ready: cartReady && draftReady,
    /** The shop could not be asked for prices. */
    stale: failed,
    step: reachedStep(wanted, readiness),
    goOn,
    goBack,
    acceptPrices: () => changeCart((now) => withAcceptedPrices(now, fresh)),
  }
}

export type Checkout = ReturnType<typeof useCheckout>
