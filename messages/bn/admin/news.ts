import type { TranslationOf } from '#lib/i18n/translate.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { news as original } from '#messages/en/admin/news.ts'

export const news: TranslationOf<typeof original> = {
  'news.title': 'নোটিফিকেশন',
  'news.button': (p) => (p.count === 0 ? 'নোটিফিকেশন' : `নোটিফিকেশন: নতুন ${formatNumber(p.count, 'bn')}টি`),
  'news.none': 'নতুন কিছু নেই',
  'news.new': 'নতুন',
  'news.sound': 'শব্দ বাজবে',
  'news.push': 'এই ডিভাইসে নোটিফিকেশন আসবে',
  'news.push-denied': 'ব্রাউজারে নোটিফিকেশনের অনুমতি নেই। ব্রাউজারের সেটিংসে এই সাইটের জন্য অনুমতি দিন।',
  'news.push-unsupported': 'এই ব্রাউজারে নোটিফিকেশন আসে না। আইফোনে আগে দোকানটি হোম স্ক্রিনে যোগ করুন।',
  'news.push-insecure': 'নোটিফিকেশনের জন্য https ঠিকানা লাগে।',
  'news.push-failed': 'হলো না। আবার চেষ্টা করুন।',
  'news.push.orders': 'নতুন অর্ডার',
  'news.push.advances': 'যাচাই করার অগ্রিম',
  'news.push.bookings': 'নতুন প্রি-বুকিং',
  'news.push.sms': 'না যাওয়া এসএমএস',
  'news.push.reviews': 'নতুন রিভিউ',
  'news.push.area-requests': 'নতুন এলাকার অনুরোধ',
  'news.order': (p) => `নতুন অর্ডার ${p.id}`,
  'news.orders': (p) => `${formatNumber(p.count, 'bn')}টি নতুন অর্ডার`,
  'news.advances': (p) => `${formatNumber(p.count, 'bn')}টি অগ্রিম যাচাই করতে হবে`,
  'news.bookings': (p) => `${formatNumber(p.count, 'bn')}টি নতুন প্রি-বুকিং`,
  'news.sms': (p) => `${formatNumber(p.count, 'bn')}টি এসএমএস যায়নি`,
  'news.reviews': (p) => `${formatNumber(p.count, 'bn')}টি নতুন রিভিউ`,
  'news.area-requests': (p) => `নতুন এলাকার ${formatNumber(p.count, 'bn')}টি অনুরোধ`,
  'news.logged-out': 'আপনি লগ আউট হয়ে গেছেন। নোটিফিকেশন পেতে লগ ইন করুন।',
}
