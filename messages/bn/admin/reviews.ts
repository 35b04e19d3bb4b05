import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { reviews as english } from '#messages/en/admin/reviews.ts'

export const reviews: TranslationOf<typeof english> = {
  'reviews.review': 'রিভিউ',
  'reviews.review-of': ({ name }) => `${name}-এর রিভিউ`,
  'reviews.product': 'পণ্য',
  'reviews.order': 'অর্ডার',
  'reviews.state': 'অবস্থা',
  'reviews.all': 'সব',
  'reviews.state.waiting': 'অপেক্ষায়',
  'reviews.state.published': 'প্রকাশিত',
  'reviews.state.refused': 'প্রত্যাখ্যাত',
  'reviews.publish': 'প্রকাশ করুন',
  'reviews.publish-of': ({ name }) => `প্রকাশ করুন: ${name}-এর রিভিউ`,
  'reviews.edit': 'উত্তর বা প্রত্যাখ্যান',
  'reviews.edit-of': ({ name }) => `উত্তর বা প্রত্যাখ্যান: ${name}-এর রিভিউ`,
  'reviews.refusal': 'প্রত্যাখ্যানের কারণ',
  'reviews.refusal-hint': 'ক্রেতা এটি পড়বেন এবং রিভিউ বদলে আবার পাঠাতে পারবেন।',
  'reviews.refused-for': ({ reason }) => `প্রত্যাখ্যাত: ${reason}`,
  'reviews.answer': 'দোকানের উত্তর',
  'reviews.answer-hint': 'পণ্যের পাতায় রিভিউয়ের নিচে দেখানো হয়।',
  'reviews.save': 'সংরক্ষণ',
  'reviews.saved': 'সংরক্ষণ হয়েছে',
  'reviews.none-waiting': 'কোনো রিভিউ অপেক্ষায় নেই। অর্ডার ডেলিভারির পর ক্রেতারা রিভিউ লেখেন।',
}
