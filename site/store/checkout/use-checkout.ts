import { useCallback, useEffect, useMemo, useState } from 'react'
import { chosenLines, cartItemToQuoteProduct } from '#features/cart/quote-lines-rules.ts'
import { refreshedLines, type PriceChange, reductionsOf, withAcceptedPrice, withFreshTerms } from '#features/cart/fresh-rules.ts'
import { changeCart, useCart } from '#features/cart/ui/cart-store.ts'
import type { AreaJson, DeliveryGroup } from '#features/catalog/types.ts'
import { type Address, addressProblems } from '#features/customers/address-rules.ts'
import { type AdvanceAccounts, offeredMethods } from '#features/orders/advances/account-rules.ts'
import {
  findAreaError,
  chargesOf,
  paymentOptions,
  quotedPayment,
  reachedStep,
  type CheckoutReadiness,
} from '#features/orders/checkout/checkout-rules.ts'
import { type DetailsProblems, type GuestDetails, guestDetailsProblems, normalizeDetails } from '#features/orders/checkout/details-rules.ts'
import type { DeliveryCalendar } from '#features/pricing/delivery-day-rules.ts'
import { quoteOrder } from '#features/pricing/quote-rules.ts'
import { parseAmount, type Poisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { useAddressBook } from '../addresses/use-address-book.ts'
import { useAreas } from './use-areas.ts'
import { useDraft } from './use-draft.ts'
import { useFreshProducts } from './use-fresh-products.ts'
import { useListDay } from './use-delivery-date.ts'
import { useStep } from './use-step.ts'
import { useCoupon } from './use-coupon.ts'

/** Props of the cart page. */
export interface CheckoutShop {
  areas: AreaJson[]
  /** The server's clock when the page was rendered. */
  now: string
  cutoffHour: number
  hasGateway: boolean
  /** The total from which cash on delivery needs a phone verified by a code; null: none does. */
  codCodeFrom: Poisha | null
  /** Minutes that an order waits for the report of a manual advance. */
  advanceMinutes: number
  /** Hours that it waits when its phone is verified. */
  advanceHours: number
  payTo: AdvanceAccounts
  /** Days between the final weighing and delivery, by category id. */
  weighings: Record<number, number>
  meatYield: string
  gainLarge: string
  gainSmall: string
  account: { id: number; name: string; phone: string; email: string; isPhoneVerified: boolean } | null
  /** The days of the shop. */
  calendar: DeliveryCalendar
  /** The place of collection; null when it is not offered. */
  collection: { address: string; note: string } | null
  /** The address book of the signed-in customer. */
  addresses: Address[]
  /** What the shop has to sell now, for an empty cart. */
  links: { href: string; label: string }[]
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
  const { coupon } = couponState
  const ids = useMemo(() => items.map((item) => item.productId), [items])
  const { fresh, failed, reload, markGone } = useFreshProducts(ids, cartReady)
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
  const isCollection = draft.isCollection && shop.collection !== null
  const area = isCollection ? null : (areas.find((one) => one.id === details.area_id) ?? null)
  const groups = [...new Set(items.map((item): DeliveryGroup => item.deliveryGroup))]
  const typed = parseAmount(draft.part)
  // The order's phone is the account's verified phone.
  const isPhoneConfirmed = shop.account?.isPhoneVerified === true && normalizeDetails(details).phone === shop.account.phone

  const { quote, options, option } = useMemo(() => {
    const available = lines.filter((line) => !line.gone)
    const quoteData = {
      products: available.map(({ item, status, stockMilli, deliveryDate }) => ({
        ...cartItemToQuoteProduct(item, status ?? 'in-stock'),
        stockMilli,
        deliveryOn: deliveryDate,
      })),
      area: chargesOf(area),
      coupon: coupon?.coupon ?? null,
      listOn: listDay.on,
      calendar: shop.calendar,
    }
    const chosen = chosenLines(available.map((line) => line.item))
    const dates = { lines: chosen, deliveries: draft.deliveries, deliveryOn: draft.deliveryOn, isCollection }
    const unpaid = quoteOrder(quoteData, { ...dates, paymentType: null, partial: null })
    const offered = paymentOptions(unpaid, {
      hasGateway: shop.hasGateway,
      hasAccount: offeredMethods(shop.payTo).length > 0,
      hasCattle: available.some((line) => line.item.deliveryGroup === 'cattle'),
      codCodeFrom: isPhoneConfirmed ? null : shop.codCodeFrom,
    })
    // A free order needs no payment choice.
    const choice = unpaid.isFree ? 'full' : draft.choice
    const quoted = quoteOrder(quoteData, { ...dates, ...quotedPayment(choice, typed, unpaid.partial.minimum) })
    return { quote: quoted, options: offered, option: offered.find((one) => one.choice === choice) ?? null }
  }, [lines, area, coupon, listDay.on, draft, typed, shop, isCollection, isPhoneConfirmed])

  // A chosen day that is no longer possible becomes the earliest one. Before the products are loaded, their dates are not known.
  const isDayGone = draft.deliveryOn !== null && !quote.days.includes(draft.deliveryOn) && lines.every((line) => line.status !== null)
  useEffect(() => {
    if (isDayGone && draftReady && quote.lines.length > 0) change({ deliveryOn: null })
  }, [isDayGone, draftReady, quote.lines.length, change])

  // A coupon without an applicable product in the cart is removed immediately.
  const { clear } = couponState
  useEffect(() => {
    if (quote.coupon === 'not-applicable') clear(t('coupon.not-applicable'))
  }, [quote.coupon, clear, t])

  const isEmailOptional = shop.account?.isPhoneVerified === true
  const areaIds = areas.map((one) => one.id)
  const problems = problemsOf(details, saved, { areaIds, isCollection, isEmailOptional })
  const areaProblem = findAreaError(area, groups)
  const readiness: CheckoutReadiness = {
    isEmpty: items.length === 0,
    hasGone: lines.some((line) => line.gone),
    hasInvalid: quote.problems.some(({ reason }) => reason === 'quantity-not-allowed' || reason === 'not-enough-stock'),
    hasChanged: lines.some((line) => line.change !== null && !line.gone),
    areDetailsValid: Object.keys(problems).length === 0 && areaProblem === null,
  }

  // What the cart step said of a code is no news of the next step. Not there: its component may load after the answer about the coupon.
  const step = reachedStep(requested, readiness)
  useEffect(() => {
    if (step === 'details') couponState.dismissError()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [step])

  return {
    shop,
    draft,
    change,
    book,
    /** Contact and address, as typed or from the chosen address. */
    details,
    isPhoneConfirmed,
    lines,
    listDay,
    quote,
    isCollection,
    /** The coupon and the day that an order asks for. */
    requested: { couponCode: couponState.requestedCode, deliveryOn: requestedDay(draft.deliveryOn, shop.calendar, quote.days) },
    options,
    option,
    areas,
    area,
    groups,
    isEmailOptional,
    problems,
    areaProblem,
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
    step,
    goOn,
    goBack,
    acceptPrice: (productId: number) => changeCart((now) => withAcceptedPrice(now, fresh, productId)),
  }
}

/** The invalid fields. A collected order takes only name and phone from a saved address. */
function problemsOf(
  details: GuestDetails,
  saved: Address | null,
  { areaIds, isCollection, isEmailOptional }: { areaIds: number[]; isCollection: boolean; isEmailOptional: boolean },
): DetailsProblems {
  if (saved === null) return guestDetailsProblems(details, { areaIds, isCollection, isEmailOptional })
  return isCollection ? {} : addressProblems(saved, areaIds)
}

/** The day that the order asks for: the chosen one, or the shown one where days can be full; null for the earliest possible one. */
function requestedDay(chosen: string | null, { fullDays }: DeliveryCalendar, days: readonly string[]): string | null {
  return chosen ?? (Object.keys(fullDays).length > 0 ? (days[0] ?? null) : null)
}

/** A saved address as order details; an account without an email may have given one for an earlier order of this tab. */
function detailsOf(saved: Address, account: { phone: string } | null, written: GuestDetails): GuestDetails & { id: number } {
  const { is_default: _default, ...address } = saved
  return { ...address, email: saved.email || written.email, phone: saved.phone || (account?.phone ?? '') }
}

export type Checkout = ReturnType<typeof useCheckout>
