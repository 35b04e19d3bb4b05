import type { TranslationOf } from '#lib/i18n.ts'
import type { texts as original } from '../../en/office/texts.ts'

export const texts: TranslationOf<typeof original> = {
  'office.nav.texts': 'লেখা',
  'texts.terms-condition': 'শর্তাবলি',
  'texts.privacy-policy': 'গোপনীয়তা নীতি',
  'texts.return-refund': 'ফেরত ও রিফান্ড',
  'texts.shipping-info': 'ডেলিভারির তথ্য',
  'texts.title': 'পাতা',
  'texts.address': 'ঠিকানা',
  'texts.updated': 'শেষ পরিবর্তন',
  'texts.missing': 'এখনো লেখা হয়নি',
  'texts.in-en': 'ইংরেজি',
  'texts.in-bn': 'বাংলা',
  'texts.heading': 'শিরোনাম',
  'texts.body': 'লেখা',
  'texts.how': 'খালি লাইন অনুচ্ছেদ আলাদা করে। ## দিয়ে শুরু লাইন উপশিরোনাম, - দিয়ে শুরু লাইন তালিকার একটি পদ।',
  'texts.preview': 'যেমন দেখাবে',
  'texts.open': 'দোকানে দেখুন',
  'audit.subject.text': 'লেখা',
}
