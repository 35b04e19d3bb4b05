import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from './settings.ts'
import { LANGS } from '#lib/i18n/lang.ts'
import { templateProblems } from './sms/template-rules.ts'
import { settingsFrom } from './stored-settings.ts'

test('nothing stored: the defaults', () => {
  expect(settingsFrom({})).toEqual(DEFAULT_SETTINGS)
})

test('what is stored holds, whatever it leaves out stays', () => {
  const settings = settingsFrom({ cutoff_hour: 20, shop: { phone: '01700000000' } })
  expect(settings.cutoff_hour).toBe(20)
  expect(settings.shop).toEqual({ ...DEFAULT_SETTINGS.shop, phone: '01700000000' })
})

test('SMS texts begin with the name of the shop, but for those that the owner has changed', () => {
  const shop = { name: { en: 'Sobuj $& Agro', bn: 'সবুজ অ্যাগ্রো' } }
  const { messages } = settingsFrom({ shop, messages: { code: { en: 'Khamar: {code}' } } })
  expect(messages.orderCancelled).toEqual({
    en: 'Sobuj $& Agro: order {order} is cancelled. Questions: {phone}',
    bn: 'সবুজ অ্যাগ্রো: অর্ডার {order} বাতিল হয়েছে। জানতে ফোন করুন: {phone}',
  })
  expect(messages.code.en).toBe('Khamar: {code}')
  const rest = { ...messages, code: { en: '', bn: messages.code.bn } }
  expect(JSON.stringify(rest)).not.toMatch(/Khamar|খামার/)
  expect(DEFAULT_SETTINGS.messages.orderCancelled.en).toMatch(/^Khamar/)
})

test('a long name leaves room for every SMS text', () => {
  const { messages } = settingsFrom({ shop: { name: { en: 'Khan '.repeat(12), bn: 'খানবা'.repeat(12) } } })
  for (const template of Object.keys(messages) as (keyof typeof messages)[])
    for (const lang of LANGS) expect([template, templateProblems(template, messages[template][lang], lang)]).toEqual([template, []])
})

test('values of another type and unknown keys are ignored', () => {
  expect(settingsFrom({ cutoff_hour: 'nine', shop: null, expiry: [1], colour: 'red' })).toEqual(DEFAULT_SETTINGS)
})
