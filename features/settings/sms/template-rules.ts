// The SMS texts that the owner may change: the fields of each, and the errors of a text.
//
// A field without a value would be sent in its braces, so a text with one is rejected when it is saved. So is a text that would be cut when
// it is filled in with long values.
import { formatKg } from '#lib/format/numbers.ts'
import { taka } from '#lib/format/money.ts'
import { formatDateTime } from '#lib/format/time.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { fillSms, MAX_SMS_PARTS, smsSize, type SmsValues } from './text-rules.ts'

const OF_AN_ORDER = ['name', 'order', 'total', 'due', 'day', 'link', 'phone'] as const

/** The texts, with the fields that each may contain. */
export const SMS_FIELDS = {
  orderPlaced: OF_AN_ORDER,
  paymentReceived: OF_AN_ORDER,
  paymentRefused: [...OF_AN_ORDER, 'reason'],
  /** Sent an hour before an order without its advance is cancelled. */
  advanceReminder: [...OF_AN_ORDER, 'amount', 'until'],
  advanceVerified: OF_AN_ORDER,
  /** A reported advance was not found, with the reason. */
  advanceRefused: [...OF_AN_ORDER, 'reason'],
  /** A payment recorded after its report was rejected: corrects that SMS. */
  paymentFound: [...OF_AN_ORDER, 'amount'],
  /** A payment recorded for an order that has ended. */
  paymentAfterEnd: [...OF_AN_ORDER, 'amount'],
  /** Sent by staff about a booking without its advance. */
  advanceMissing: [...OF_AN_ORDER, 'amount'],
  /** After the final weighing [W3]. */
  settled: [...OF_AN_ORDER, 'tag', 'old_kg', 'new_kg', 'rate', 'difference'],
  deliveryTomorrow: OF_AN_ORDER,
  /** The same for an order that its customer collects. */
  collectionTomorrow: [...OF_AN_ORDER, 'place'],
  /** The same for an order with two deliveries, with the products of each. */
  firstDeliveryTomorrow: [...OF_AN_ORDER, 'goods'],
  lastDeliveryTomorrow: [...OF_AN_ORDER, 'goods'],
  /** The announced day of a delivery or collection has changed. */
  deliveryMoved: OF_AN_ORDER,
  orderCancelled: OF_AN_ORDER,
  orderExpired: OF_AN_ORDER,
  /** For signing in, verifying a phone, setting a new password. */
  code: ['code', 'minutes'],
} as const

export type SmsTemplate = keyof typeof SMS_FIELDS
export const SMS_TEMPLATES = Object.keys(SMS_FIELDS) as SmsTemplate[]
export type SmsField = (typeof SMS_FIELDS)[SmsTemplate][number]

/** An error of a text. */
export type TemplateProblem =
  | { kind: 'empty' }
  | { kind: 'unknown-field'; field: string }
  | { kind: 'no-code' }
  | { kind: 'too-long'; parts: number }

/** Checks a text before it is saved. */
export function templateProblems(template: SmsTemplate, text: string, lang: Lang): TemplateProblem[] {
  if (text.trim() === '') return [{ kind: 'empty' }]
  const known: readonly string[] = SMS_FIELDS[template]
  const used = [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
  const problems: TemplateProblem[] = [...new Set(used)]
    .filter((field) => !known.includes(field))
    .map((field) => ({ kind: 'unknown-field', field }))
  if (template === 'code' && !used.includes('code')) problems.push({ kind: 'no-code' })
  const parts = smsSize(filledLong(text, lang)).parts
  if (parts > MAX_SMS_PARTS) problems.push({ kind: 'too-long', parts })
  return problems
}

/** A text filled in with long values, not cut. */
function filledLong(text: string, lang: Lang): string {
  return text
    .split(/(\{\w+\})/)
    .map((piece) => (piece.startsWith('{') ? fillSms(piece, longestValues(lang), lang) : piece))
    .join('')
}

/** Long values of all fields, for checks and for the preview of a text. */
export function longestValues(lang: Lang): Required<SmsValues> {
  return {
    name: lang === 'bn' ? 'আব্দুর রহমান চৌধুরী' : 'Abdur Rahman Chowdhury',
    order: 1_000_000,
    total: taka(1_138_500),
    due: taka(1_128_500),
    until: formatDateTime(new Date('2026-09-29T15:30:00Z'), lang),
    link: 'https://khamar.example/invoice/1000000?key=0123456789ABCDEF',
    phone: '01711000001',
    code: '123456',
    minutes: 5,
    tag: 'BE-1024',
    day: lang === 'bn' ? '২৪ ফেব্রুয়ারি ও ২৮ সেপ্টেম্বর' : '24 Feb and 28 Sep',
    place: (lang === 'bn' ? 'খামারের গেট, সাভার, ঢাকা, ' : 'Farm gate, Savar, Dhaka, ').repeat(3),
    goods: (lang === 'bn' ? 'হিমসাগর আম, ' : 'Himsagar mango, ').repeat(8),
    old_kg: formatKg(251_500, lang),
    new_kg: formatKg(263_500, lang),
    rate: taka(530),
    amount: taka(1_128_500),
    difference: taka(6360),
    reason: (lang === 'bn' ? 'এই ট্রানজ্যাকশন আইডিতে কোনো টাকা আসেনি ' : 'no money came with this transaction ID ').repeat(4),
  }
}
