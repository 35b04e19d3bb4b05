import type { CouponRecord } from '#features/pricing/coupons/admin-queries.server.ts'
import type { CouponState } from '#features/pricing/coupons/state-rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

const LOOKS: Record<CouponState, string> = {
  running: 'chip-leaf',
  'not-yet': 'chip-indigo',
  ended: 'chip-stone',
  'used-up': 'chip-mango',
  off: 'chip-stone',
  'no-products': 'chip-terracotta',
}

export function CouponChip({ state }: { state: CouponState }) {
  const { t } = useI18n()
  return <span className={`chip ${LOOKS[state]}`}>{t(`coupons.state.${state}`)}</span>
}

/** The discount of a coupon: `10 %, at most ৳500`. */
export function couponWorth({ kind, percent, value, max_discount }: CouponRecord, lang: Lang): string {
  const t = translate(lang)
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  if (kind === 'others') return t('coupons.worth.others', { taka: taka(value) })
  if (kind === 'free_shipping') return value === 0 ? t('coupons.worth.free') : t('coupons.worth.delivery', { taka: taka(value) })
  const share = formatNumber(percent, lang)
  return max_discount === null ? t('coupons.worth.percent', { share }) : t('coupons.worth.capped', { share, taka: taka(max_discount) })
}
