import type { Lang } from '#lib/i18n/lang.ts'

/**
 * The names of customers who gave none, at the POS and at a login by code. They are stored in the language of the cashier or the customer.
 * The texts `pos.walk-in` and `auth.unnamed` are the same words.
 */
export const PLACEHOLDER_NAMES: readonly Record<Lang, string>[] = [
  { en: 'Walk-in customer', bn: 'কাউন্টারের ক্রেতা' },
  { en: 'Customer', bn: 'ক্রেতা' },
]

/** Stored in English in place of the name and address of a customer whose data was erased. */
export const ERASED: Record<Lang, string> = { en: 'Erased', bn: 'মুছে ফেলা হয়েছে' }

/** A stored name, or an erased address, for a reader: a placeholder in the reader's language; empty for null. */
export function shownName(name: string | null, lang: Lang): string {
  return [...PLACEHOLDER_NAMES, ERASED].find(({ en, bn }) => name === en || name === bn)?.[lang] ?? name ?? ''
}

/** Five digits of any script, with or without a few marks between them: a number to call. */
const SHORT_NUMBER = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){4,}/gu
/** In an address a comma or a slash stands between two numbers: plot 1234-1236, 1207. */
const WHOLE_NUMBER = /\p{Nd}(?:[^\p{L}\p{Nd},/]{0,3}\p{Nd}){9,}/gu

/** Programs make a link of a dot between letters. */
const withoutLinks = (text: string) => text.replace(/\.(?=\S)/g, '. ')
const singleSpaced = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A name for a message of the shop, without what a phone makes a link or a number to call of: an order may state a stranger's phone. */
export function nameInMessage(name: string): string {
  return singleSpaced(withoutLinks(name.replace(/[/:@\\]+/g, ' ')).replace(SHORT_NUMBER, ''))
}

/** The same for an address in an email, which has slashes and short numbers of its own: an order may state a stranger's email. */
export function addressInMessage(address: string): string {
  return singleSpaced(withoutLinks(address.replace(/:\/\/|[@\\]+/g, ' ')).replace(WHOLE_NUMBER, ''))
}
