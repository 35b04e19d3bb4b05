import { describe, expect, it, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../catalog/settings.ts'
import { fillSms, smsSize } from './rules.ts'
import { longFacts, SMS_FIELDS, templateProblems, type SmsTemplate } from './template-rules.ts'

const templates = Object.keys(SMS_FIELDS) as SmsTemplate[]

test('every text of the settings is known here', () => {
  expect(templates.toSorted()).toEqual(Object.keys(DEFAULT_SETTINGS.messages).toSorted())
})

describe.each(templates)('%s as it comes with the shop', (template) => {
  it.each(['en', 'bn'] as const)('has no problem in %s, and no brace left', (lang) => {
    const text = DEFAULT_SETTINGS.messages[template][lang]
    expect(templateProblems(template, text, lang)).toEqual([])
    expect(fillSms(text, longFacts(lang), lang)).not.toMatch(/[{}]/)
  })
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
