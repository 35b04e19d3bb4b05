import { useMemo } from 'react'
import type { FreshLine } from '#features/cart/fresh-rules.ts'
import { cartItemToQuoteProduct, chosenLines } from '#features/cart/quote-lines-rules.ts'
import {
  type AreaWithCharges,
  chargesOf,
  type PaymentOption,
  paymentOptions,
  quotedPayment,
} from '#features/orders/checkout/checkout-rules.ts'
import type { AppliedCoupon } from '#features/pricing/coupons/coupon-response.ts'
import { type Quote, quoteOrder } from '#features/pricing/quote-rules.ts'
import { parseAmount } from '#lib/format/money.ts'
import type { Draft } from './use-draft.ts'

interface QuoteInput {
  lines: readonly FreshLine[]
  area: AreaWithCharges | null
  coupon: AppliedCoupon | null
  /** The earliest delivery date of an order placed now. */
  listOn: string
  draft: Draft
  hasGateway: boolean
}

interface OrderQuote {
  quote: Quote
  options: PaymentOption[]
  /** The chosen payment option; null when it is not offered or nothing is chosen. */
  option: PaymentOption | null
}

/** The sums of the order with the chosen payment, and the payment options it may have. Products that are gone do not count. */
export function useOrderQuote({ lines, area, coupon, listOn, draft, hasGateway }: QuoteInput): OrderQuote {
  return useMemo(() => {
    const available = lines.filter((line) => !line.gone)
    const quoteData = {
      products: available.map(({ item, status, stockMilli, deliveryDate }) => ({
        ...cartItemToQuoteProduct(item, status ?? 'in-stock'),
        stockMilli,
        deliveryOn: deliveryDate,
      })),
      area: chargesOf(area),
      coupon: coupon?.coupon ?? null,
      listOn,
    }
    const chosen = chosenLines(available.map((line) => line.item))
    const { deliveries } = draft
    const unpaid = quoteOrder(quoteData, { lines: chosen, deliveries, paymentType: null, partial: null })
    const hasCattle = available.some((line) => line.item.deliveryGroup === 'cattle')
    const options = paymentOptions(unpaid, { hasGateway, hasCattle })
    // A free order needs no payment choice.
    const choice = unpaid.isFree ? 'full' : draft.choice
    const payment = quotedPayment(choice, parseAmount(draft.part), unpaid.partial.minimum)
    const quote = quoteOrder(quoteData, { lines: chosen, deliveries, ...payment })
    return { quote, options, option: options.find((one) => one.choice === choice) ?? null }
  }, [lines, area, coupon, listOn, draft, hasGateway])
}
