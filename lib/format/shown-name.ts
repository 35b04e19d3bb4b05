import type { Lang } from '#lib/i18n/lang.ts'

/**
 * The names of customers who gave none, at the POS and at a login by code. They are stored in the language of the cashier or the customer.
 * The texts `pos.walk-in` and `auth.unnamed` are the same words.
 */
export const PLACEHOLDER_NAMES: readonly Record<Lang, string>[] = [
  { en: 'Walk-in customer', bn: 'কাউন্টারের ক্রেতা' },
  { en: 'Customer', bn: 'ক্রেতা' },
]

/** A stored name for a reader: a placeholder in the reader's language; empty for null. */
export function shownName(name: string | null, lang: Lang): string {
  return PLACEHOLDER_NAMES.find(({ en, bn }) => name === en || name === bn)?.[lang] ?? name ?? ''
}

/** A name for a message of the shop, without what a phone makes a link or a number to call of: an order may state a stranger's phone. */
export function nameInMessage(name: string): string {
  return name
    .replace(/[/:@\\]+/g, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/[0-9০-৯]{5,}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
