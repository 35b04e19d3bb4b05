import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Translate } from '#lib/i18n/translate.ts'

/**
 * A season's code in words: `2027` is "Kurbani 2027", `eid-2027` is "Eid-2027". Other words stay as the owner wrote them. Different codes have
 * different names, because each has rates of its own.
 */
export function seasonName(t: Translate, lang: Lang, code: string): string {
  if (/^\d{4}$/.test(code)) return `${t('rates.kurbani')} ${localizeDigits(lang, code)}`
  const words = code.replace(/\bkurbani\b/i, t('rates.kurbani')).replace(/\beid\b/i, t('rates.eid'))
  return localizeDigits(lang, words)
}

/** The code for a typed season: that of the current season where staff typed its name. */
export function seasonCode(t: Translate, lang: Lang, typed: string, current: string): string {
  return seasonName(t, lang, typed.trim()) === seasonName(t, lang, current) ? current : typed
}
