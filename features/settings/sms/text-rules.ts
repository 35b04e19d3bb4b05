// Text messages.
//
// One Bengali letter, one ৳ or one curly quote makes the whole text UCS-2, with 70 characters in place of 160. A longer text is sent in
// parts, which hold a little less each. Order texts are Bengali unless the customer reads English.
import { formatTaka, type Poisha, poisha, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { nameInMessage } from '#lib/format/shown-name.ts'
import { compose } from '#lib/format/text.ts'
import { formatDay } from '#lib/format/time.ts'
import type { SmsField } from './template-rules.ts'

export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** What the network counts: septets, or UTF-16 units. */
  units: number
  parts: number
}

/** Longer texts are not sent. */
export const MAX_SMS_PARTS = 6

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const ESCAPED = new Set('^{}\\[~]|€\f')

/** ড, ঢ and য with a dot below, and the letters that they are. */
const DOTTED: Readonly<Record<string, string>> = { ড: '\u09dc', ঢ: '\u09dd', য: '\u09df' }

/**
 * A text as it is sent: ড়, ঢ় and য় are one character each. NFC, in which texts are stored, writes them as two (Unicode composition
 * exclusions), and networks charge both.
 */
export function sentForm(text: string): string {
  return compose(text).replace(/([ডঢয])\u09bc/g, (_two, letter: string) => DOTTED[letter]!)
}

/** The size of a text as it is sent and charged; an empty text has no part. */
export function smsSize(text: string): SmsSize {
  const characters = [...sentForm(text)]
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

/** The values of a template's fields; weights are formatted. */
export interface SmsValues {
  name?: string
  /** The number, or a placeholder while it is unknown. */
  order?: number | string
  total?: Poisha
  due?: Poisha
  /** The sum of one payment, received or to be sent. */
  amount?: Poisha
  /** A formatted time. */
  until?: string
  link?: string
  phone?: string
  code?: string
  minutes?: number
  tag?: string
  old_kg?: string
  new_kg?: string
  rate?: Poisha
  /** Signed price change of the final weighing; the text says more or less in words. */
  difference?: Poisha
  /** The delivery date, from `smsDelivery`. */
  day?: string
  /** The place of collection. */
  place?: string
  /** The names of the delivered products. */
  goods?: string
  /** The reason as the staff wrote it. */
  reason?: string
}

const NAME_LETTERS = 40
/** Limits the reason, so that the link after it is not cut. */
const REASON_LETTERS = 120
const GOODS_LETTERS = 120
const PLACE_LETTERS = 90

/** Price change in words. Both languages are here because the settings screen shows both. */
const DIFFERENCE: Record<Lang, { more: string; less: string; none: string; refund: string }> = {
  en: { more: 'more', less: 'less', none: 'no change', refund: 'refund' },
  bn: { more: 'বেশি', less: 'কম', none: 'কোনো বদল নেই', refund: 'ফেরত পাবেন' },
}

const AFTER_PAYMENT: Record<Lang, string> = { en: 'after payment', bn: 'পেমেন্টের পর' }

const COLLECTION: Record<Lang, string> = { en: 'collection at the farm', bn: 'খামার থেকে সংগ্রহ' }

/** How the products reached the customer. `counter`: with the sale. */
const HANDED_OVER = {
  counter: { en: 'at the counter', bn: 'কাউন্টারেই দেওয়া হয়েছে' },
  delivered: { en: 'delivered', bn: 'পৌঁছে দেওয়া হয়েছে' },
  collected: { en: 'collected', bn: 'সংগ্রহ করা হয়েছে' },
} as const satisfies Record<string, Record<Lang, string>>

/** How the products of an order reach the customer, or have reached them. */
export type SmsHandover = 'delivery' | 'collection' | keyof typeof HANDED_OVER

/** The delivery of an order as its SMS says it. `dates`: null while the order waits for payment. */
export function smsDelivery(dates: readonly string[] | null, lang: Lang, handover: SmsHandover): string {
  if (handover !== 'delivery' && handover !== 'collection') return HANDED_OVER[handover][lang]
  const days = dates?.map((date) => formatDay(date, lang)) ?? [AFTER_PAYMENT[lang]]
  const text = days.join(lang === 'bn' ? ' ও ' : ' and ')
  return handover === 'collection' ? `${text} (${COLLECTION[lang]})` : text
}

/** Characters outside GSM-7 and their plain forms, as phone keyboards and word processors insert them. Joiners of Bengali stay. */
const PLAIN_FORMS: readonly (readonly [RegExp, string])[] = [
  [/৳\s*/g, 'Tk '],
  [/[‘’‚‛′`´]/g, "'"],
  [/[“”„‟″«»]/g, '"'],
  [/[‐‑‒–—―−·•]/g, '-'],
  [/…/g, '...'],
  [/×/g, 'x'],
  [/[\u00a0\u2000-\u200a\u202f\u205f]/g, ' '],
  [/[\u200b\u200e\u200f\u2060\ufeff]/g, ''],
]
const NOT_ASCII = /[^\u0020-\u007e\n]|`/

/** An English text with ৳ as `Tk` and typographic characters replaced, so that it stays in GSM-7 [C16]. Other letters stay. */
export function toGsmText(text: string): string {
  return NOT_ASCII.test(text) ? PLAIN_FORMS.reduce((plain, [from, to]) => plain.replace(from, to), text) : text
}

/**
 * Fills in the {fields} of a text and cuts it to the maximum length. Order numbers, codes and tags stay in Latin digits, as they are on the
 * invoice and typed; an unknown field is not replaced, and values are never filled in a second time. English texts are converted by
 * `toGsmText`.
 */
export function fillSms(template: string, values: SmsValues, lang: Lang): string {
  const money = (amount: Poisha | undefined) => (amount === undefined ? '' : formatTaka(amount, lang))
  const size = (amount: Poisha) => formatTaka(poisha(Math.abs(amount)), lang)
  const words = DIFFERENCE[lang]
  const change = (amount: Poisha) => (amount === 0 ? words.none : `${size(amount)} ${amount > 0 ? words.more : words.less}`)
  const fields: Record<SmsField, string> = {
    name: [...nameInMessage(values.name ?? '')].slice(0, NAME_LETTERS).join(''),
    order: String(values.order ?? ''),
    total: money(values.total),
    due: values.due !== undefined && values.due < 0 ? `${money(ZERO)}, ${words.refund} ${size(values.due)}` : money(values.due),
    amount: money(values.amount),
    until: values.until ?? '',
    link: values.link ?? '',
    phone: values.phone ?? '',
    code: values.code ?? '',
    minutes: values.minutes === undefined ? '' : formatNumber(values.minutes, lang),
    tag: values.tag ?? '',
    old_kg: values.old_kg ?? '',
    new_kg: values.new_kg ?? '',
    rate: money(values.rate),
    difference: values.difference === undefined ? '' : change(values.difference),
    day: values.day ?? '',
    place: cutWords(values.place ?? '', PLACE_LETTERS),
    goods: cutWords(values.goods ?? '', GOODS_LETTERS),
    reason: [...(values.reason ?? '')].slice(0, REASON_LETTERS).join('').trimEnd(),
  }
  const filled = template.replace(/\{(\w+)\}/g, (whole, word: string) => (Object.hasOwn(fields, word) ? fields[word as SmsField] : whole))
  return cutSms(lang === 'en' ? toGsmText(filled) : filled)
}

function cutWords(text: string, maxLength: number): string {
  const letters = [...text]
  return letters.length <= maxLength ? text : `${letters.slice(0, maxLength).join('').trimEnd()}...`
}

/** A text of at most this length always fits: of a UCS-2 part at most one unit stays empty. */
const ALWAYS_FITS = MAX_SMS_PARTS * 66

/** Cuts a text to the maximum number of parts, with three dots at the end. */
export function cutSms(text: string): string {
  if (text.length <= ALWAYS_FITS || smsSize(text).parts <= MAX_SMS_PARTS) return text
  const characters = [...sentForm(text)]
  let [fits, over] = [0, characters.length]
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (smsSize(`${characters.slice(0, middle).join('')}...`).parts <= MAX_SMS_PARTS) fits = middle
    else over = middle
  }
  return `${characters.slice(0, fits).join('')}...`
}
