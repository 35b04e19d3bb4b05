import { expect, test } from 'vitest'
import cases from '#test/data/sms-segment-cases.json' with { type: 'json' }
import { taka } from '#lib/money.ts'
import { DEFAULT_SETTINGS } from '../catalog/settings.ts'
import { fillSms, MAX_SMS_PARTS, smsSize } from './rules.ts'

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

test('an order text is filled in, the amounts in the language, the order number as on the invoice', () => {
  const facts = { order: 1024, total: taka(138_500), due: taka(128_500), link: 'https://khamar.example/invoice/1024' }
  expect(fillSms('অর্ডার {order}: মোট {total}, বাকি {due}। {link}', facts, 'bn')).toBe(
    'অর্ডার 1024: মোট ৳১,৩৮,৫০০, বাকি ৳১,২৮,৫০০। https://khamar.example/invoice/1024',
  )
  expect(fillSms('Order {order}: {total}', facts, 'en')).toBe('Order 1024: ৳1,38,500')
  expect(fillSms('{phone}{nothing}{toString}', facts, 'en')).toBe('{nothing}{toString}')
})

test('what a customer types is not filled in again', () => {
  expect(fillSms('{name}', { order: 1, name: '{order} $& {phone}' }, 'en')).toBe('{order} $& {phone}')
})

test('the texts that come with the shop fit into few parts', () => {
  const facts = {
    name: 'আব্দুর রহমান চৌধুরী',
    order: 1_000_000,
    total: taka(1_138_500),
    due: taka(1_128_500),
    link: 'https://khamar.example/i/1000000?key=0123456789',
    phone: '01711000001',
  }
  for (const [name, text] of Object.entries(DEFAULT_SETTINGS.messages)) {
    for (const lang of ['en', 'bn'] as const) expect(smsSize(fillSms(text[lang], facts, lang)).parts, name).toBeLessThan(MAX_SMS_PARTS)
  }
})
