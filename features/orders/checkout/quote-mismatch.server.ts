import type { PaymentType, Quote } from '#features/pricing/quote-rules.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poishaToTaka } from '#lib/format/money.ts'
import { dayErrorText } from './checkout-errors.server.ts'
import { totalOnlineProblem } from './checkout-rules.ts'
import type { CustomerOrderBody } from './forms.ts'
import { shownDay } from './order-request-rules.ts'

export interface QuoteMismatch {
  errors: Record<string, string[]>
  /** The current total in taka, or the current day, when the request has another. */
  more?: { total: number } | { next_delivery_on: string }
}

/** Errors for amounts or a day that differ from the quote, and for a payment method that the order does not allow; null without any. */
export function findQuoteMismatch(
  body: CustomerOrderBody,
  gateway: GatewayName | 'NONE',
  quote: Quote,
  t: (key: MessageKey, params?: Record<string, string>) => string,
  lang: Lang,
): QuoteMismatch | null {
  const field = findChangedAmount(body, quote)
  if (field !== null) {
    const text = t('refusal.total-changed', { total: formatTaka(quote.total, lang) })
    return { errors: { [field]: [text] }, more: { total: poishaToTaka(quote.total) } }
  }
  const day = shownDay(quote)
  if (day !== null && body.expected_day && body.expected_day !== day)
    return { errors: { delivery_on: [dayErrorText(day, lang)] }, more: { next_delivery_on: day } }
  const problem = findPaymentProblem(body.payment_type, gateway, quote)
  return problem && { errors: { [problem.field]: [t(problem.key)] } }
}

const differs = (requested: unknown, quoted: number) => typeof requested === 'number' && Math.round(requested * 100) !== quoted

/** The field whose error says that the total has changed; null when all amounts of the request equal the quote. */
function findChangedAmount(body: CustomerOrderBody, quote: Quote): 'payable_amount' | 'shipping_cost' | null {
  const free = body.couponFreeShipping
  const amounts: [requested: unknown, quoted: number][] = [
    [body.totalProductDiscount, quote.productDiscount],
    [body.expected_total, quote.total],
    [body.couponDiscountAmount, quote.couponDiscount],
    [free, quote.deliverySaved],
  ]
  if (amounts.some(([requested, quoted]) => differs(requested, quoted))) return 'payable_amount'
  if (free === true && quote.deliverySaved === 0) return 'payable_amount'
  if (differs(body.shipping_cost, quote.delivery)) return 'shipping_cost'
  if (quote.isFree) return null
  const isChanged = body.is_free_order === true || differs(body.payable_amount, payableOf(body.payment_type, quote))
  return isChanged ? 'payable_amount' : null
}

function payableOf(paymentType: PaymentType, { total, payable }: Quote): number {
  if (paymentType === 'cash_on_delivery') return 0
  return paymentType === 'full' ? total : payable
}

/** The problem of the payment method. The quote has checked the bounds of a partial payment. */
function findPaymentProblem(
  paymentType: PaymentType,
  gateway: GatewayName | 'NONE',
  quote: Quote,
): { field: string; key: MessageKey } | null {
  if (quote.isFree || paymentType === 'cash_on_delivery') return null
  if (gateway === 'NONE') {
    // Without a gateway only the advance of an animal can be paid.
    const isAdvance = paymentType === 'partial' && quote.lines.some((line) => line.advance > 0)
    return isAdvance ? null : { field: 'payment_gateway', key: 'refusal.gateway-needed' }
  }
  const key = paymentType === 'full' ? totalOnlineProblem(quote) : null
  return key && { field: 'payable_amount', key }
}
