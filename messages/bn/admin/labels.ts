import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { labels as original } from '#messages/en/admin/labels.ts'

export const labels: TranslationOf<typeof original> = {
  'labels.title': 'লেবেল',
  'labels.print': 'লেবেল',
  'labels.size': 'কাগজ',
  'labels.size.a4-24': 'A4, ৭০ × ৩৭ মিমি-র ২৪টি লেবেল',
  'labels.size.a4-14': 'A4, ৯৯.১ × ৩৮.১ মিমি-র ১৪টি লেবেল',
  'labels.size.roll': 'রোল, ৫০ × ৩০ মিমি',
  'labels.size.card': 'A4, পশুর জন্য ১০৫ × ৭৪ মিমি-র ৮টি কার্ড',
  'labels.used': 'প্রথম পাতায় আগে ব্যবহৃত ঘর',
  'labels.count-of': (p) => `${p.name}-এর লেবেল`,
  'labels.pages': (p) => `${p.pages} পাতায় ${p.labels}টি লেবেল। ১০০% মাপে, মার্জিন ছাড়া ছাপুন।`,
  'labels.no-code': 'বারকোড নেই',
  'labels.assign': (p) => `${p.count}টিকে বারকোড দিন`,
  'labels.assign-hint': 'দোকানের নিজস্ব নম্বর, অন্য কোনো পণ্যের নয়।',
  'labels.empty': 'পণ্যের তালিকায় পণ্য বেছে “লেবেল” চাপুন।',
  'labels.to-products': 'পণ্যের তালিকায়',
}
