import '#messages/bn-account.ts'
import '#messages/bn-admin.ts'
import '#messages/en-account.ts'
import '#messages/en-admin.ts'
import { expect, it } from 'vitest'
import { LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { nameInMessage, PLACEHOLDER_NAMES, shownName } from './shown-name.ts'

it.each([
  ['Walk-in customer', 'bn', 'কাউন্টারের ক্রেতা'],
  ['কাউন্টারের ক্রেতা', 'en', 'Walk-in customer'],
  ['কাউন্টারের ক্রেতা', 'bn', 'কাউন্টারের ক্রেতা'],
  ['ক্রেতা', 'en', 'Customer'],
  ['Customer Care Ltd', 'bn', 'Customer Care Ltd'],
  ['Rahima', 'bn', 'Rahima'],
  [null, 'en', ''],
] as const)('%j is shown in %s as %j', (name, lang, shown) => {
  expect(shownName(name, lang)).toBe(shown)
})

it('the placeholders are the words that are stored', () => {
  for (const lang of LANGS) {
    const t = translate(lang)
    expect(PLACEHOLDER_NAMES.map((name) => name[lang])).toEqual([t('pos.walk-in'), t('auth.unnamed')])
  }
})

it.each([
  ['Md. Abdur Rahim', 'Md. Abdur Rahim'],
  ['A.K.M.Rahim', 'A. K. M. Rahim'],
  ['রহিমা ২', 'রহিমা ২'],
  ['Win ৳500 at https://evil.com/x', 'Win ৳500 at https evil. com x'],
  ['bKash 01711000099 / a@b.co', 'bKash a b. co'],
  ['কল করুন ০১৭১১০০০০৯৯', 'কল করুন'],
])('the name %s stands in a message as %s', (name, shown) => {
  expect(nameInMessage(name)).toBe(shown)
})
