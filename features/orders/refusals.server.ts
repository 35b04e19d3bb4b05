import type { Quote, QuoteProblem } from '#features/pricing/quote-rules.ts'
import { type MessageKey, translate } from '#lib/i18n.ts'
import type { Lang } from '#lib/lang.ts'
import { formatTaka } from '#lib/money.ts'
import type { ProductInTheWay } from './place-order.server.ts'

type Text = (key: MessageKey, params?: Record<string, string>) => string

const textIn = (lang: Lang) => translate(lang) as Text

/** The shopper's text for goods that are gone, or of which too little is left, by name. */
export function goneText(products: ProductInTheWay[], lang: Lang): string {
  const t = textIn(lang)
  const texts = products.map(({ name, isShort }) =>
    name ? t(isShort ? 'refusal.not-enough-stock' : 'refusal.not-available', { name }) : t('refusal.unknown-product'),
  )
  return [...new Set(texts)].join('\n') || t('refusal.unknown-product')
}

/** The problems of a quote as errors at the fields of the request that was sent. */
export function quoteErrors(quote: Quote, sent: { productId: number }[], lang: Lang): Record<string, string[]> {
  const t = textIn(lang)
  const errors: Record<string, string[]> = {}
  for (const problem of quote.problems) {
    const [field, text] = fieldOf(problem, sent, t, lang)
    ;(errors[field] ??= []).push(text)
  }
  return errors
}

function fieldOf(problem: QuoteProblem, sent: { productId: number }[], t: Text, lang: Lang): [string, string] {
  switch (problem.reason) {
    case 'empty-cart':
      return ['products', t('refusal.empty-cart')]
    case 'area-closed-for-cattle':
    case 'area-closed-for-produce':
      return ['customer.area_id', t(`refusal.${problem.reason}`)]
    case 'cod-not-offered':
      return ['payment_type', t('refusal.cod-not-offered')]
    case 'partial-amount': {
      const { key, ...rest } = problem.problem
      const amount = 'amount' in rest ? formatTaka(rest.amount, lang) : ''
      return ['payable_amount', t(key, { amount })]
    }
    case 'not-available':
    case 'quantity-not-allowed':
    case 'not-enough-stock':
    case 'listed-twice': {
      const at =
        problem.reason === 'listed-twice'
          ? sent.findLastIndex((line) => line.productId === problem.productId)
          : sent.findIndex((line) => line.productId === problem.productId)
      return [`products.${at}.quantity`, t(`refusal.${problem.reason}`, { name: problem.name ?? '' })]
    }
  }
}
