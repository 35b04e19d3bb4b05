import { localizeDigits } from '#lib/format/numbers.ts'
import { PLACEHOLDER_NAMES } from '#lib/format/shown-name.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** The placeholder names of customers who gave no name, in both languages. */
export const placeholderNames = () => PLACEHOLDER_NAMES.flatMap(({ en, bn }) => [en, bn])

/** The name that a customer gave; empty for a placeholder. */
export const givenName = (name: string): string => (placeholderNames().includes(name) ? '' : name)

/** The name on pages: the given one, else the phone. */
export const displayName = ({ name, phone }: { name: string; phone: string }, lang: Lang): string =>
  givenName(name) || localizeDigits(lang, phone)
