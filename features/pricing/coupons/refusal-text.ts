import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka } from '#lib/format/money.ts'
import type { CouponRefusal, CouponTerms } from './rules.ts'

/** Why a coupon cannot be used, in the shopper's words. */
export function couponRefusalText(reason: CouponRefusal, lang: Lang, terms: CouponTerms | null = null): string {
  const t = translate(lang) as (key: MessageKey, params?: Record<string, string>) => string
  return t(`coupon.${reason}`, { amount: terms === null ? '' : formatTaka(terms.minSubtotal, lang) })
}
