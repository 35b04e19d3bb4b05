import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { bookings as english } from '#messages/en/admin/bookings.ts'

export const bookings: TranslationOf<typeof english> = {
  'bookings.when': 'তারিখ',
  'bookings.name': 'নাম',
  'bookings.phone': 'মোবাইল নম্বর',
  'bookings.email': 'ইমেইল',
  'bookings.district': 'জেলা',
  'bookings.thana': 'থানা',
  'bookings.place': 'ঠিকানা',
  'bookings.price': 'দামের পরিসর',
  'bookings.weight': 'ওজন',
  'bookings.state': 'অবস্থা',
  'bookings.note': 'নোট',
  'bookings.orders': 'অর্ডার',
  'bookings.new-order': 'নতুন অর্ডার',
  'bookings.state.new': 'নতুন',
  'bookings.state.called': 'ফোন করা হয়েছে',
  'bookings.state.matched': 'গরু মিলেছে',
  'bookings.state.closed': 'সম্পন্ন',
  'bookings.called': 'ফোন করেছি',
  'bookings.called-name': (p) => `ফোন করেছি: ${p.name}`,
  'bookings.edit': 'সম্পাদনা',
  'bookings.edit-name': (p) => `সম্পাদনা: ${p.name}`,
  'bookings.saved': 'সংরক্ষণ হয়েছে',
  'bookings.export': 'CSV এক্সপোর্ট',
  'bookings.empty': 'এখনো কোনো প্রি-বুকিং নেই। কোরবানির গরু স্টকে না থাকলে এখানে আসে।',
}
