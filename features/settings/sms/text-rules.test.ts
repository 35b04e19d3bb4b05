import { expect, test } from 'vitest'
import cases from '#test/data/sms-segment-cases.json' with { type: 'json' }
import { taka } from '#lib/format/money.ts'
import { cutSms, fillSms, toGsmText, MAX_SMS_PARTS, sentForm, smsSize } from './text-rules.ts'

function written(text: string): string {
  const repeated = /^(.+)\*(\d+)$/u.exec(text)
  return repeated === null ? text : (repeated[1] ?? '').repeat(Number(repeated[2]))
}

test.each(cases)('$text is $enc, $units units, $parts parts', ({ text, enc, units, parts }) => {
  expect(smsSize(written(text))).toEqual({ encoding: enc, units, parts })
})

test('an empty text has no part', () => {
  expect(smsSize('')).toEqual({ encoding: 'GSM-7', units: 0, parts: 0 })
})

test('a character that counts double is not cut in two at the end of a part', () => {
  expect(smsSize(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toEqual({ encoding: 'GSM-7', units: 306, parts: 3 })
  expect(smsSize(`${'ক'.repeat(66)}😀${'ক'.repeat(66)}`)).toEqual({ encoding: 'UCS-2', units: 134, parts: 3 })
})

test.each([
  ['\u09af\u09bc', '\u09df'],
  ['\u09a1\u09bc', '\u09dc'],
  ['\u09a2\u09bc', '\u09dd'],
  ['\u09c7\u09be', '\u09cb'],
])('%s is sent as one character, and counted so however it was typed', (two, one) => {
  expect([sentForm(two), sentForm(one)]).toEqual([one, one])
  for (const letter of [two, one]) expect(smsSize(`ক${letter}`.repeat(35))).toEqual({ encoding: 'UCS-2', units: 70, parts: 1 })
  expect(sentForm(cutSms(`ক${two}`.repeat(300)))).toBe(`${`ক${one}`.repeat(199)}ক...`)
})

test('an order text is filled in, the amounts in the language, the order number as on the invoice', () => {
  const values = { order: 1024, total: taka(138_500), due: taka(128_500), link: 'https://khamar.example/invoice/1024' }
  expect(fillSms('অর্ডার {order}: মোট {total}, বাকি {due}। {link}', values, 'bn')).toBe(
    'অর্ডার 1024: মোট ৳১,৩৮,৫০০, বাকি ৳১,২৮,৫০০। https://khamar.example/invoice/1024',
  )
  expect(fillSms('Order {order}: {total}', values, 'en')).toBe('Order 1024: Tk 1,38,500')
  expect(fillSms('{phone}{nothing}{toString}', values, 'en')).toBe('{nothing}{toString}')
})

test.each([
  ['৳1,38,500', 'Tk 1,38,500'],
  ['৳ 500', 'Tk 500'],
  ['−৳825', '-Tk 825'],
  ['Don’t wait – “now”… 2 × 5\u00a0kg · a`b', `Don't wait - "now"... 2 x 5 kg - a'b`],
  ['plain {text} @ 5 €', 'plain {text} @ 5 €'],
  ['রহিম র\u200d্যাব', 'রহিম র\u200d্যাব'],
])('%s in an English text becomes %s', (typed, sent) => {
  expect(toGsmText(typed)).toBe(sent)
})

test('an English text is converted as it is filled in, a Bengali one is not', () => {
  expect(fillSms('{reason}', { reason: 'no ৳500 – ‘yet’' }, 'en')).toBe("no Tk 500 - 'yet'")
  expect(fillSms('{reason}', { reason: 'no ৳500 – ‘yet’' }, 'bn')).toBe('no ৳500 – ‘yet’')
})

test.each([
  [4420, 'Tk 4,420 more', '৳৪,৪২০ বেশি'],
  [-825, 'Tk 825 less', '৳৮২৫ কম'],
  [0, 'no change', 'কোনো বদল নেই'],
])('a price change of %i taka is written in words', (change, en, bn) => {
  expect(fillSms('{difference}', { difference: taka(change) }, 'en')).toBe(en)
  expect(fillSms('{difference}', { difference: taka(change) }, 'bn')).toBe(bn)
})

test('an amount due below zero is a refund', () => {
  expect(fillSms('due {due}', { due: taka(-825) }, 'en')).toBe('due Tk 0, refund Tk 825')
  expect(fillSms('বাকি {due}', { due: taka(-825) }, 'bn')).toBe('বাকি ৳০, ফেরত পাবেন ৳৮২৫')
})

test('what a customer types is not filled in again', () => {
  expect(fillSms('{name}', { order: 1, name: '{order} $& {phone}' }, 'en')).toBe('{order} $& {phone}')
})

test.each([
  ['plain', 'a'.repeat(2000), 918],
  ['Bengali', 'ক'.repeat(2000), 402],
  ['emoji', '😀'.repeat(1000), 402],
])('a %s text that is too long is cut to what can be sent, and shows it', (_name, text, most) => {
  const cut = cutSms(text)
  expect(smsSize(cut).parts).toBe(MAX_SMS_PARTS)
  expect(cut.endsWith('...')).toBe(true)
  expect(cut.length).toBeLessThanOrEqual(most)
  expect(cut.length).toBeGreaterThan(most - 8)
  expect(cut.isWellFormed()).toBe(true)
})

test('a text that fits stays, to the letter', () => {
  for (const text of ['', 'a', 'a'.repeat(918), 'ক'.repeat(402)]) expect(cutSms(text)).toBe(text)
})

test.each(['a', '€', 'ক', '😀', 'ক😀', 'a😀', '€ক'])('the longest text that is not counted fits, of %s', (letters) => {
  const text = letters.repeat(MAX_SMS_PARTS * 66).slice(0, MAX_SMS_PARTS * 66)
  expect(smsSize(text).parts).toBeLessThanOrEqual(MAX_SMS_PARTS)
  expect(cutSms(text)).toBe(text)
})

test('a name of any length leaves room for the rest', () => {
  const text = fillSms('{name}: {link}', { name: 'র\u200d্যাব '.repeat(50), link: 'https://khamar.example' }, 'bn')
  expect(text).toMatch(/: https:\/\/khamar\.example$/)
})

test('a name makes no link in a text', () => {
  expect(fillSms('Dear {name}: {link}', { name: 'evil.com/pay', link: 'https://khamar.example/i' }, 'en')).toBe(
    'Dear evil. com pay: https://khamar.example/i',
  )
})
