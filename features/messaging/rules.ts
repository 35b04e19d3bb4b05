// Text messages.
//
// One Bengali letter, one ৳ or one curly quote makes the whole text a Bengali one, and those hold 70 characters where plain ones hold 160.
// A longer text goes in parts that each hold a little less. Order texts are Bengali unless the customer reads English.
import { formatTaka } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'
import type { Lang } from '#lib/lang.ts'

export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** What the network counts: septets, or UTF-16 units. */
  units: number
  parts: number
}

/** No text of more parts is sent. */
export const MAX_SMS_PARTS = 6

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const ESCAPED = new Set('^{}\\[~]|€\f')

/** How a text is counted and charged; an empty text has no part. */
export function smsSize(text: string): SmsSize {
  const characters = [...text]
  const isPlain = characters.every((character) => BASIC.has(character) || ESCAPED.has(character))
  const sizes = characters.map((character) => (isPlain ? (ESCAPED.has(character) ? 2 : 1) : character.length))
  const units = sizes.reduce((total, size) => total + size, 0)
  const [single, part] = isPlain ? [160, 153] : [70, 67]
  return { encoding: isPlain ? 'GSM-7' : 'UCS-2', units, parts: units <= single ? Math.min(1, units) : partsOf(sizes, part) }
}

// A character is never cut in two, so a part may end a unit short.
function partsOf(sizes: readonly number[], capacity: number): number {
  let parts = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > capacity) [parts, used] = [parts + 1, 0]
    used += size
  }
  return parts
}

/** What an order text can speak of. */
export interface SmsFacts {
  name?: string
  /** A number, or what stands for it until it is known. */
  order: number | string
  total?: Poisha
  due?: Poisha
  link?: string
  phone?: string
}

/** A text with its {name}, {order}, {total}, {due}, {link}, {phone} filled in; order numbers stay in Latin digits, as they are on the invoice. */
export function fillSms(template: string, facts: SmsFacts, lang: Lang): string {
  const words: Record<string, string> = {
    name: facts.name ?? '',
    order: String(facts.order),
    total: facts.total === undefined ? '' : formatTaka(facts.total, lang),
    due: facts.due === undefined ? '' : formatTaka(facts.due, lang),
    link: facts.link ?? '',
    phone: facts.phone ?? '',
  }
  return template.replace(/\{(\w+)\}/g, (whole, word: string) => (Object.hasOwn(words, word) ? (words[word] ?? '') : whole))
}
