import type { Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTakaNumber, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate, formatShortDay } from '#lib/format/time.ts'

/** The amount that a customer has spent: `1,38,500.00 tk`. */
export function spentText(taka: number, t: Translate, lang: Lang): string {
  const digits = formatTakaNumber(takaToPoisha(taka), 'en')
  return t('leaderboard.taka', { amount: localizeDigits(lang, digits.includes('.') ? digits : `${digits}.00`) })
}

/** The day of an instant, `29 Apr 25`; a missing one is N/A. */
export function lastOrder(at: string | null, t: Translate, lang: Lang): string {
  if (at === null || at === '') return t('leaderboard.never')
  const instant = new Date(at)
  return Number.isNaN(instant.getTime()) ? t('leaderboard.broken-day') : formatShortDay(dhakaDate(instant), lang)
}
