import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { about as english } from '#messages/en/about.ts'

export const about: TranslationOf<typeof english> = {
  'about.title': (p) => `${p.shop} সম্পর্কে`,
  'about.certificates': 'লাইসেন্স ও সনদ',
  'about.certificate': (p) => `সনদ ${p.number}`,
  'about.phone': 'ফোন',
  'about.email': 'ইমেইল',
  'about.address': 'ঠিকানা',
  'about.hours': 'খোলা থাকার সময়',
  'about.map': 'ম্যাপ',
  'about.open-map': 'ম্যাপে দেখুন',
}
