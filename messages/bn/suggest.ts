import type { TranslationOf } from '#lib/i18n/translate.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { suggest as original } from '../en/suggest.ts'

export const suggest: TranslationOf<typeof original> = {
  'suggest.label': 'সাজেশন',
  'suggest.found': (p) => `${formatNumber(p.count, 'bn')}টি সাজেশন`,
  'suggest.none': 'কিছু পাওয়া যায়নি। বানান বদলে দেখুন, অথবা ওজন (২৫০ কেজি) বা ট্যাগ নম্বর (K-101) লিখুন।',
  'suggest.wait': 'খোঁজা হচ্ছে…',
  'suggest.failed': 'সংযোগ নেই। খুঁজতে এন্টার চাপুন।',
  'suggest.all': (p) => `“${p.query}”-এর সব ফলাফল`,
  'suggest.status.in-stock': 'স্টকে আছে',
  'suggest.status.pre-book': 'প্রি-অর্ডার',
  'suggest.status.hold': 'হোল্ডে আছে',
  'suggest.status.out-of-stock': 'স্টকে নেই',
  'suggest.status.sold': 'বিক্রি হয়ে গেছে',
}
