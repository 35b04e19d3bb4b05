import type { Quote, QuoteProblem } from '#features/pricing/quote-rules.ts'
import { quoteProblemText } from '#features/pricing/refusal-text.ts'
import { textByKey, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import type { TooManyHeld } from '../batching/insert-orders.server.ts'
import type { UnavailableProduct } from './place-order.server.ts'

/** The error text for products that are sold out or of which less is left than ordered. */
export function unavailableText(products: UnavailableProduct[], lang: Lang): string {
  const t = textByKey(lang)
  const texts = products.map(({ name, isShort }) =>
    name ? t(isShort ? 'refusal.not-enough-stock' : 'refusal.not-available', { name }) : t('refusal.unknown-product'),
  )
  return [...new Set(texts)].join('\n') || t('refusal.unknown-product')
}

/** The error text for too many orders, and the seconds until the next one is accepted. */
export function tooManyOrdersText(seconds: number, lang: Lang): { text: string; more: { retryAfterSeconds: number } } {
  const minutes = localizeDigits(lang, String(Math.ceil(seconds / 60)))
  return { text: textByKey(lang)('refusal.too-many-orders', { minutes }), more: { retryAfterSeconds: seconds } }
}

/** The error text for a sender at the limit of unpaid animals. `phone`: the shop's number. */
export function tooManyHeldText(
  { by, limit }: TooManyHeld,
  { isPhoneVerified, phone, sendsSms }: { isPhoneVerified: boolean; phone: string; sendsSms: boolean },
  lang: Lang,
): string {
  const key = isPhoneVerified ? 'refusal.too-many-held-verified' : by === 'network' ? 'refusal.too-many-held-near' : 'refusal.too-many-held'
  return textByKey(lang)(key, { count: localizeDigits(lang, String(limit)), phone: localizeDigits(lang, phone), sms: sendsSms })
}

/** The problems of a quote as errors at the fields of the request. */
export function quoteErrors(quote: Quote, requested: { productId: number }[], lang: Lang): Record<string, string[]> {
  const t = translate(lang)
  const errors: Record<string, string[]> = {}
  for (const problem of quote.problems) {
    const text = problem.reason === 'delivery-day' ? dayErrorText(problem.next, lang) : quoteProblemText(problem, t, lang)
    ;(errors[fieldOf(problem, requested)] ??= []).push(text)
  }
  return errors
}

/** The error text for a day that is not possible, with the next one that is. */
export function dayErrorText(next: string | null, lang: Lang): string {
  const t = textByKey(lang)
  return next === null ? t('refusal.no-delivery-day') : t('refusal.delivery-day', { day: formatLongDay(next, lang) })
}

function fieldOf(problem: QuoteProblem, requested: { productId: number }[]): string {
  switch (problem.reason) {
    case 'empty-cart':
      return 'products'
    case 'area-closed-for-cattle':
    case 'area-closed-for-produce':
      return 'customer.area_id'
    case 'cod-not-offered':
      return 'payment_type'
    case 'delivery-day':
      return 'delivery_on'
    case 'partial-amount':
      return 'payable_amount'
    case 'listed-twice':
      return `products.${requested.findLastIndex((line) => line.productId === problem.productId)}.quantity`
    default:
      return `products.${requested.findIndex((line) => line.productId === problem.productId)}.quantity`
  }
}
