import type { TranslationOf } from '#lib/i18n/translate.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { heads as original } from '../en/heads.ts'

export const heads: TranslationOf<typeof original> = {
  'home.title': (p) => `${p.shop}: নিজেদের খামারের ফল, মাংসের গরু ও কোরবানির গরু`,
  'home.description': 'ট্যাগ ও ওজনের রেকর্ডসহ লাইভ ওজনে গরু, আগের দিন পাড়া ফল, আখ: নিজেদের খামার থেকে আপনার দরজায়।',
  'beef.description': 'লাইভ ওজনে মাংসের গরু: ছবি, কানের ট্যাগ, তারিখসহ ওজন, কেজিপ্রতি দর; ঢাকা ও আশপাশে ডেলিভারি।',
  'category.description': (p) => `আমাদের নিজেদের খামারের ${p.category}: দাম, প্যাকের মাপ ও ডেলিভারির তারিখ।`,
  'fruits.description': 'নিজেদের বাগানের আম, কাঁঠাল, লিচু, পেয়ারা ও অন্য ফল, কেজি হিসাবে; আপনার অর্ডারের জন্যই পাড়া।',
  'kurbani.description': 'লাইভ ওজনে কোরবানির গরু: ট্যাগ, ওজনের রেকর্ড, ছবি ও ভিডিও; অগ্রিম দিয়ে বুকিং।',
  'page.number': (p) => `${p.title}, ${formatNumber(p.page, 'bn')} নম্বর পাতা`,
  'product.title': (p) => `${p.name}, ${p.price}`,
}
