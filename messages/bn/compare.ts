import { formatNumber } from '#lib/format/numbers.ts'
import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { compare as english } from '../en/compare.ts'

const n = (value: number) => formatNumber(value, 'bn')

export const compare: TranslationOf<typeof english> = {
  'compare.title': 'গরু তুলনা করুন',
  'compare.chosen': (p) => `${n(p.max)}টির মধ্যে ${n(p.count)}টি বাছাই হয়েছে`,
  'compare.full': 'একসঙ্গে তিনটি গরু তুলনা করা যায়',
  'compare.clear': 'তুলনা খালি করুন',
  'compare.remove': 'বাদ দিন',
  'compare.remove-named': (p) => `${p.name} বাদ দিন`,
  'compare.empty': 'এখনো কোনো গরু বাছাই করা হয়নি',
  'compare.empty-text': 'পাশাপাশি দেখতে সর্বোচ্চ তিনটি গরুতে “তুলনা” চাপুন।',
  'compare.one': 'তুলনা করতে আরেকটি গরু বাছাই করুন।',
  'compare.gone': 'একটি গরু এখন আর দোকানে নেই।',
  'compare.beef': 'মাংসের গরু',
  'compare.kurbani': 'কোরবানির গরু',
  'compare.animal': 'গরু',
  'compare.status': 'অবস্থা',
  'compare.price': 'দাম',
  'compare.gain': 'ওজন বেড়েছে',
  'compare.gain-value': (p) => `${n(p.days)} দিনে ${p.change}`,
}
