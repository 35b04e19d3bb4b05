import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { posExchange as original } from '#messages/en/admin/pos-exchange.ts'

export const posExchange: TranslationOf<typeof original> = {
  'pos.exchange': 'বদল',
  'pos.exchange.start': 'অন্য পণ্যের সঙ্গে বদল',
  'pos.exchange.banner': (p) => `বিক্রি ${p.id}-এর বদল`,
  'pos.exchange.of': (p) => `বিক্রি ${p.id} থেকে ফেরত`,
  'pos.exchange.for': (p) => `বিক্রি ${p.id}-এর সঙ্গে বদল`,
  'pos.exchange.value': 'ফেরত পণ্যের দাম',
  'pos.exchange.taken': 'নতুন পণ্যের দাম',
  'pos.exchange.to-pay': 'দিতে হবে',
  'pos.exchange.to-refund': 'রিফান্ড দিতে হবে',
  'pos.exchange.paid-back': 'রিফান্ড',
  'pos.exchange.method': 'রিফান্ডের পদ্ধতি',
  'pos.exchange.change': 'পণ্য পরিবর্তন',
  'pos.exchange.cancel': 'বদল বাতিল',
  'pos.exchange.cancel-text': 'স্ক্রিনের পণ্য থাকবে; কিছু ফেরত নেওয়া হবে না।',
  'pos.exchange.hint': 'ক্রেতা বদলে যা নেবেন তা স্ক্যান করুন।',
  'pos.exchange.do': 'অনুমোদন দিয়ে বদল করুন',
  'pos.exchange.done': 'বদল সম্পন্ন হয়েছে।',
  'pos.exchange.offline': 'বদলের জন্য ইন্টারনেট সংযোগ দরকার। এটি স্ক্রিনে থাকছে।',
  'pos.exchange.no-response': 'সার্ভার সাড়া দেয়নি। বদলটি এখানেই আছে; আবার পাঠান, একবারই গোনা হবে।',
  'pos.exchange.not-held': 'এই ব্রাউজারে কিছু রাখা যাচ্ছে না। আগে স্ক্রিনের বিক্রি শেষ করুন।',
  'pos.exchange.receipt': 'ফেরতের রসিদ',
}
