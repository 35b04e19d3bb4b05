import { useCallback, useEffect, useMemo } from 'react'
import { type FreshLine, withAcceptedPrice } from '#features/cart/fresh-rules.ts'
import { changeCart, useCart } from '#features/cart/ui/cart-store.ts'
import type { Address } from '#features/customers/address-rules.ts'
import { reachedStep } from '#features/orders/checkout/checkout-rules.ts'
import type { AreaWithCharges, CheckoutReadiness } from '#features/orders/checkout/checkout-rules.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { useAddressBook } from '../addresses/use-address-book.ts'
import { type DeliveryDetails, deliveryDetails } from './delivery-details.ts'
import { useAreas } from './use-areas.ts'
import { useCartLines } from './use-cart-lines.ts'
import { useDraft } from './use-draft.ts'
import { useFreshProducts } from './use-fresh-products.ts'
import { useListDay } from './use-delivery-date.ts'
import { useOrderQuote } from './use-order-quote.ts'
import { useStep } from './use-step.ts'
import { useCoupon } from './use-coupon.ts'

/** Props of the cart page. */
export interface CheckoutShop {
  areas: AreaWithCharges[]
  /** The server's clock when the page was rendered. */
  now: string
  cutoffHour: number
  hasGateway: boolean
  /** Minutes that an order waits for the report of a manual advance. */
  advanceMinutes: number
  /** Hours that it waits when its phone is verified. */
  advanceHours: number
  /** The advance that books a Kurbani cow, in taka. */
  advanceAmount: number
  payTo: PayTo
  /** Days between the final weighing and delivery, by category id. */
  weighings: Record<number, number>
  meatYield: string
  gainLarge: string
  gainSmall: string
  account: { id: number; name: string; phone: string; email: string; phoneProven: boolean } | null
  /** The address book of the signed-in customer. */
  addresses: Address[]
}

/** Accounts for manual advances; an empty number is not offered. */
export interface PayTo {
  bank: { bank: string; branch: string; accountName: string; accountNumber: string; routingNumber: string }
  bkash: string
  nagad: string
}

/** The shared state of the three steps: cart, current prices, draft, sums, and step. */
export function useCheckout(shop: CheckoutShop) {
  const { t } = useI18n()
  const { items, ready: cartReady } = useCart()
  const { draft, ready: draftReady, change } = useDraft(shop.account)
  const { requested, goOn, goBack } = useStep()
  const book = useAddressBook(shop.account, shop.addresses)
  const storeCode = useCallback((couponCode: string | null) => change({ couponCode }), [change])
  const couponState = useCoupon({
    isSignedIn: shop.account !== null,
    items,
    code: draft.couponCode,
    onCode: storeCode,
    ready: cartReady && draftReady,
  })
  const ids = useMemo(() => items.map((item) => item.productId), [items])
  const { fresh, failed, reload, markGone } = useFreshProducts(ids, cartReady)
  const { areas, readAreas } = useAreas(shop.areas)
  const listDay = useListDay(shop)

  const lines = useCartLines(items, fresh)
  const delivery = deliveryDetails({ saved: book.chosen, typed: draft.details, account: shop.account, areas, items })
  const { quote, options, option } = useOrderQuote({
    lines,
    area: delivery.area,
    coupon: couponState.coupon,
    listOn: listDay.on,
    draft,
    hasGateway: shop.hasGateway,
  })

  // A coupon without an applicable product in the cart is removed immediately.
  const { clear } = couponState
  useEffect(() => {
    if (quote.coupon === 'not-applicable') clear(t('coupon.not-applicable'))
  }, [quote.coupon, clear, t])

  const readiness = readinessOf(lines, quote, delivery)

  return {
    shop,
    draft,
    change,
    book,
    ...delivery,
    lines,
    listDay,
    quote,
    options,
    option,
    areas,
    readiness,
    couponState,
    /** After a rejected order: reloads prices, areas and the coupon. */
    reload: () => {
      reload()
      void readAreas()
      couponState.recheck()
    },
    markGone,
    ready: cartReady && draftReady,
    /** The current prices could not be loaded. */
    stale: failed,
    step: reachedStep(requested, readiness),
    goOn,
    goBack,
    acceptPrice: (productId: number) => changeCart((now) => withAcceptedPrice(now, fresh, productId)),
  }
}

function readinessOf(lines: readonly FreshLine[], quote: Quote, delivery: DeliveryDetails): CheckoutReadiness {
  return {
    isEmpty: lines.length === 0,
    someGone: lines.some((line) => line.gone),
    someWrong: quote.problems.some(({ reason }) => reason === 'quantity-not-allowed' || reason === 'not-enough-stock'),
    someChanged: lines.some((line) => line.change !== null && !line.gone),
    detailsAreGood: Object.keys(delivery.problems).length === 0 && delivery.areaProblem === null,
  }
}

export type Checkout = ReturnType<typeof useCheckout>
