import '#messages/bn-account.ts'
import '#messages/bn-admin.ts'
import '#messages/en-account.ts'
import '#messages/en-admin.ts'
import { expect, it } from 'vitest'
import { LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { addressInMessage, nameInMessage, PLACEHOLDER_NAMES, shownName } from './shown-name.ts'

it.each([
  ['Walk-in customer', 'bn', 'কাউন্টারের ক্রেতা'],
  ['কাউন্টারের ক্রেতা', 'en', 'Walk-in customer'],
  ['কাউন্টারের ক্রেতা', 'bn', 'কাউন্টারের ক্রেতা'],
  ['ক্রেতা', 'en', 'Customer'],
  ['Customer Care Ltd', 'bn', 'Customer Care Ltd'],
  ['Rahima', 'bn', 'Rahima'],
  ['Erased', 'bn', 'মুছে ফেলা হয়েছে'],
  ['Erased', 'en', 'Erased'],
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
  ['Call 0171-1000-099 now', 'Call now'],
  ['bKash (0171) 1000 / 099', 'bKash ('],
  ['কল ০১৭১ ১০০০ ০৯৯', 'কল'],
  ['٠١٧١١٠٠٠٠٩٩ Rahim', 'Rahim'],
])('the name %s stands in a message as %s', (name, shown) => {
  expect(nameInMessage(name)).toBe(shown)
})

it.each([
  ['House 5/A, Road 12, Sector 11, Dhaka-1230', 'House 5/A, Road 12, Sector 11, Dhaka-1230'],
  ['বাড়ি ১২-৩৪, রোড ৫, ঢাকা ১২০৭', 'বাড়ি ১২-৩৪, রোড ৫, ঢাকা ১২০৭'],
  ['Plot 1234-1236, 1207, 12', 'Plot 1234-1236, 1207, 12'],
  ['12/3/4, 5-6, 1207-12', '12/3/4, 5-6, 1207-12'],
  ['Claim at https://evil.com/x', 'Claim at https evil. com/x'],
  ['www.evil.com, win@evil.com', 'www. evil. com, win evil. com'],
  ['Road 3, call 0171-1000-099', 'Road 3, call'],
])('the address %s stands in an email as %s', (address, shown) => {
  expect(addressInMessage(address)).toBe(shown)
})
