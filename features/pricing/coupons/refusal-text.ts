import { textByKey } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka } from '#lib/format/money.ts'
import type { CouponError, CouponTerms } from './rules.ts'

/** The message for a coupon that cannot be used. */
export function couponErrorText(reason: CouponError, lang: Lang, terms: CouponTerms | null = null): string {
  const t = textByKey(lang)
  return t(`coupon.${reason}`, { amount: terms === null ? '' : formatTaka(terms.minSubtotal, lang) })
}
