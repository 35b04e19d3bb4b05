import { describe, expect, it, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../settings.ts'
import { translate } from '#lib/i18n/translate.ts'
import { taka } from '#lib/format/money.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { formatKg } from '#lib/format/numbers.ts'
import '#messages/en.ts'
import { fillSms, smsSize } from './text-rules.ts'
import { longestValues, SMS_TEMPLATES, templateProblems, type SmsTemplate } from './template-rules.ts'

test('every text of the settings is known here', () => {
  expect(SMS_TEMPLATES.toSorted()).toEqual(Object.keys(DEFAULT_SETTINGS.messages).toSorted())
})

describe.each(SMS_TEMPLATES)('%s as it comes with the shop', (template) => {
  it.each(['en', 'bn'] as const)('has no problem in %s, and no brace left', (lang) => {
    const text = DEFAULT_SETTINGS.messages[template][lang]
    expect(templateProblems(template, text, lang)).toEqual([])
    expect(fillSms(text, longestValues(lang), lang)).not.toMatch(/[{}]/)
  })
})

/** An order of an everyday size, with the link as long as the shop writes it. */
const EVERYDAY = {
  name: 'Rahima Begum',
  order: 10_245,
  total: taka(118_980),
  due: taka(113_400),
  amount: taka(13_500),
  until: formatDateTime(new Date('2026-09-29T15:30:00Z'), 'en'),
  link: `https://khamar.com.bd/invoice/10245?key=${'x'.repeat(16)}`,
  phone: '01711000001',
  code: '012345',
  minutes: 5,
  tag: 'B-218',
  old_kg: formatKg(224_000, 'en'),
  new_kg: formatKg(232_500, 'en'),
  rate: taka(520),
  reason: 'no such transaction',
}
const CHANGES = [taka(4420), taka(-825), taka(0)]
/** Texts with a reason and two ways to answer are longer than one part. */
const TWO_PARTS: SmsTemplate[] = ['advanceRefused']

test.each(SMS_TEMPLATES)('%s in English stays in GSM-7 and costs one part', (template) => {
  for (const difference of CHANGES) {
    const text = fillSms(DEFAULT_SETTINGS.messages[template].en, { ...EVERYDAY, difference }, 'en')
    const parts = TWO_PARTS.includes(template) ? 2 : 1
    expect(smsSize(text), text).toMatchObject({ encoding: 'GSM-7', parts })
    expect(smsSize(fillSms(DEFAULT_SETTINGS.messages[template].en, longestValues('en'), 'en')).encoding).toBe('GSM-7')
  }
})

/** Parts of Bengali texts that many customers get; the others have longer values. */
const BENGALI_PARTS: Partial<Record<SmsTemplate, number>> = {
  orderPlaced: 2,
  paymentReceived: 2,
  advanceMissing: 2,
  deliveryTomorrow: 1,
  collectionTomorrow: 2,
  deliveryMoved: 2,
  orderCancelled: 1,
  orderExpired: 2,
}

test('frequent SMS in Bengali cost no more parts than they need', () => {
  const values = { ...EVERYDAY, total: taka(2480), due: taka(2480), day: '২৯ নভেম্বর', place: 'খামারের গেট, খামার রোড, বগুড়া' }
  const parts = Object.keys(BENGALI_PARTS).map((template) => {
    const text = fillSms(DEFAULT_SETTINGS.messages[template as SmsTemplate].bn, values, 'bn')
    return [template, smsSize(text).parts]
  })
  expect(Object.fromEntries(parts)).toEqual(BENGALI_PARTS)
})

test('every other English SMS of the shop stays in GSM-7 and costs one part', () => {
  expect(smsSize(translate('en')('auth.sms-moved', { phone: '017*****001' }))).toMatchObject({ encoding: 'GSM-7', parts: 1 })
})

test('a code costs one part in English, and its digits stay Latin in Bengali', () => {
  const { code } = DEFAULT_SETTINGS.messages
  expect(smsSize(fillSms(code.en, { code: '012345', minutes: 5 }, 'en'))).toMatchObject({ encoding: 'GSM-7', parts: 1 })
  expect(fillSms(code.bn, { code: '012345', minutes: 5 }, 'bn')).toContain('012345')
  expect(smsSize(fillSms(code.bn, { code: '012345', minutes: 5 }, 'bn')).parts).toBe(1)
})

it.each([
  ['nothing', 'orderPlaced', '  ', [{ kind: 'empty' }]],
  ['a field of another text', 'orderPlaced', 'Order {order}: {code}', [{ kind: 'unknown-field', field: 'code' }]],
  [
    'a field misspelt, twice',
    'orderPlaced',
    '{ordr} {ordr} {Order} {}',
    ['ordr', 'Order', ''].map((field) => ({ kind: 'unknown-field', field })),
  ],
  ['a code without the code', 'code', 'Welcome!', [{ kind: 'no-code' }]],
  ['an essay', 'orderPlaced', 'ক'.repeat(403), [{ kind: 'too-long', parts: 7 }]],
  ['an essay by what is filled in', 'orderPlaced', '{link}'.repeat(20), [{ kind: 'too-long', parts: 8 }]],
  ['a brace alone', 'orderPlaced', 'Order {order} :-{', []],
  ['JavaScript', 'orderPlaced', '${order} {constructor}', [{ kind: 'unknown-field', field: 'constructor' }]],
])('%s', (_name, template, text, problems) => {
  expect(templateProblems(template as SmsTemplate, text, 'en')).toEqual(problems)
})
