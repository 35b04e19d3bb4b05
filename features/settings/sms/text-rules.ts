// Text messages.
//
// One Bengali letter, one ৳ or one curly quote makes the whole text a Bengali one, and those hold 70 characters where plain ones hold 160.
// A longer text goes in parts that each hold a little less. Order texts are Bengali unless the customer reads English.
import { formatTaka, type Poisha, poisha, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import type { SmsField } from './template-rules.ts'

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

/** What a text can speak of; weights come formatted. */
export interface SmsFacts {
  name?: string
  /** A number, or what stands for it until it is known. */
  order?: number | string
  total?: Poisha
  due?: Poisha
  /** The sum of one payment, received or to be sent. */
  amount?: Poisha
  /** A moment, formatted. */
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
  /** What comes, by name. */
  goods?: string
  /** Why something was not done, as a clerk wrote it. */
  reason?: string
}

const NAME_LETTERS = 40
/** A longer reason would push the link behind it out of what is sent. */
const REASON_LETTERS = 120
const GOODS_LETTERS = 120

/** Price change in words. Both languages stand here because the settings screen shows both at once. */
const DIFFERENCE: Record<Lang, { more: string; less: string; none: string; refund: string }> = {
  en: { more: 'more', less: 'less', none: 'no change', refund: 'refund' },
  bn: { more: 'বেশি', less: 'কম', none: 'কোনো বদল নেই', refund: 'ফেরত পাবেন' },
}

const AFTER_PAYMENT: Record<Lang, string> = { en: 'after payment', bn: 'পেমেন্টের পর' }

/** The delivery dates of an order as its SMS says them; null while the order waits for payment. */
export function smsDelivery(dates: readonly string[] | null, lang: Lang): string {
  const days = dates?.map((date) => formatDay(date, lang)) ?? [AFTER_PAYMENT[lang]]
  return days.join(lang === 'bn' ? ' ও ' : ' and ')
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
 * A text with its {fields} filled in, cut to what may be sent. Order numbers, codes and tags stay in Latin digits, as they are on the
 * invoice and typed; a field that is not known stays as it stands, and what a customer typed is never filled in again. English texts
 * are converted by `toGsmText`.
 */
export function fillSms(template: string, facts: SmsFacts, lang: Lang): string {
  const money = (amount: Poisha | undefined) => (amount === undefined ? '' : formatTaka(amount, lang))
  const size = (amount: Poisha) => formatTaka(poisha(Math.abs(amount)), lang)
  const words = DIFFERENCE[lang]
  const change = (amount: Poisha) => (amount === 0 ? words.none : `${size(amount)} ${amount > 0 ? words.more : words.less}`)
  const fields: Record<SmsField, string> = {
    name: [...(facts.name ?? '')].slice(0, NAME_LETTERS).join(''),
    order: String(facts.order ?? ''),
    total: money(facts.total),
    due: facts.due !== undefined && facts.due < 0 ? `${money(ZERO)}, ${words.refund} ${size(facts.due)}` : money(facts.due),
    amount: money(facts.amount),
    until: facts.until ?? '',
    link: facts.link ?? '',
    phone: facts.phone ?? '',
    code: facts.code ?? '',
    minutes: facts.minutes === undefined ? '' : formatNumber(facts.minutes, lang),
    tag: facts.tag ?? '',
    old_kg: facts.old_kg ?? '',
    new_kg: facts.new_kg ?? '',
    rate: money(facts.rate),
    difference: facts.difference === undefined ? '' : change(facts.difference),
    day: facts.day ?? '',
    goods: cutWords(facts.goods ?? '', GOODS_LETTERS),
    reason: [...(facts.reason ?? '')].slice(0, REASON_LETTERS).join('').trimEnd(),
  }
  const filled = template.replace(/\{(\w+)\}/g, (whole, word: string) => (Object.hasOwn(fields, word) ? fields[word as SmsField] : whole))
  return cutSms(lang === 'en' ? toGsmText(filled) : filled)
}

function cutWords(text: string, most: number): string {
  const letters = [...text]
  return letters.length <= most ? text : `${letters.slice(0, most).join('').trimEnd()}...`
}

/** A text of no more units always fits, whatever its letters: of a Bengali part at most one unit stays empty. */
const ALWAYS_FITS = MAX_SMS_PARTS * 66

/** The text when it can be sent, else as much of its beginning as can, with three dots to show it. */
export function cutSms(text: string): string {
  if (text.length <= ALWAYS_FITS || smsSize(text).parts <= MAX_SMS_PARTS) return text
  const characters = [...text]
  let [fits, over] = [0, characters.length]
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (smsSize(`${characters.slice(0, middle).join('')}...`).parts <= MAX_SMS_PARTS) fits = middle
    else over = middle
  }
  return `${characters.slice(0, fits).join('')}...`
}
