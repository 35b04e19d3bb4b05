import type { Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka } from '#lib/format/money.ts'
import type { PartialProblem } from './partial-rules.ts'
import type { Quote, QuoteProblem } from './quote-rules.ts'

/** The message for an invalid partial payment. */
export function partialProblemText(problem: PartialProblem, t: Translate, lang: Lang): string {
  return problem.key === 'partial.invalid' ? t(problem.key) : t(problem.key, { amount: formatTaka(problem.amount, lang) })
}

/** The message for a problem of an order. */
export function quoteProblemText(problem: QuoteProblem, t: Translate, lang: Lang): string {
  switch (problem.reason) {
    case 'partial-amount':
      return partialProblemText(problem.problem, t, lang)
    case 'not-available':
      return problem.name === null ? t('refusal.unknown-product') : t('refusal.not-available', { name: problem.name })
    case 'quantity-not-allowed':
    case 'not-enough-stock':
    case 'listed-twice':
      return t(`refusal.${problem.reason}`, { name: problem.name ?? String(problem.productId) })
    case 'delivery-day':
      return t('refusal.no-delivery-day')
    default:
      return t(`refusal.${problem.reason}`)
  }
}

/** The message key for the effect of a valid coupon on an order. A coupon without effect is not used up. */
export function couponEffect(
  quote: Pick<Quote, 'coupon' | 'couponDiscount' | 'deliverySaved'>,
): 'coupon.applied' | 'coupon.discounts-better' | 'coupon.no-effect' {
  if (quote.couponDiscount > 0 || quote.deliverySaved > 0) return 'coupon.applied'
  return quote.coupon === 'product-discount-better' ? 'coupon.discounts-better' : 'coupon.no-effect'
}
