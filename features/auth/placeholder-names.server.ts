import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

/** The placeholder names of customers who gave no name, at the POS or at a login by code. */
export const placeholderNames = () =>
  (['en', 'bn'] as const).flatMap((lang) => [translate(lang)('pos.walk-in'), translate(lang)('auth.unnamed')])

/** The name that a customer gave; empty for a placeholder. */
export const givenName = (name: string): string => (placeholderNames().includes(name) ? '' : name)

/** The name on pages: the given one, else the phone. */
export const displayName = ({ name, phone }: { name: string; phone: string }, lang: Lang): string =>
  givenName(name) || localizeDigits(lang, phone)
