import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { kurbani as english } from '../en/kurbani.ts'

export const kurbani: TranslationOf<typeof english> = {
  'kurbani.checking': 'কোন গরু আছে দেখা হচ্ছে...',
  'kurbani.price': 'দাম',
  'kurbani.price-from': 'সর্বনিম্ন দাম',
  'kurbani.price-to': 'সর্বোচ্চ দাম',
  'kurbani.price-from-taka': 'সর্বনিম্ন দাম, টাকায়',
  'kurbani.price-to-taka': 'সর্বোচ্চ দাম, টাকায়',
  'kurbani.show': 'প্রয়োগ করুন',
  'kurbani.status': 'অবস্থা',
  'kurbani.status-all': 'সব',
  'kurbani.notice': 'বুক করার আগে জেনে নিন',
  'kurbani.notice-close': 'বিজ্ঞপ্তিটি বন্ধ করুন',
}
