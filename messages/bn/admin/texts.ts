import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { texts as original } from '#messages/en/admin/texts.ts'

export const texts: TranslationOf<typeof original> = {
  'admin.nav.texts': 'নীতিমালা ও পরিচিতি',
  'texts.terms-condition': 'শর্তাবলি',
  'texts.privacy-policy': 'গোপনীয়তা নীতি',
  'texts.return-refund': 'ফেরত ও রিফান্ড',
  'texts.shipping-info': 'ডেলিভারির তথ্য',
  'texts.about': 'আমাদের কথা',
  'texts.contact': 'যোগাযোগ',
  'texts.title': 'পাতা',
  'texts.address': 'লিংক',
  'texts.updated': 'শেষ পরিবর্তন',
  'texts.missing': 'এখনো লেখা হয়নি',
  'texts.draft': 'খসড়া',
  'texts.draft-hint': 'নতুন দোকানের জন্য তৈরি নমুনা। প্রতিটি অঙ্ক মিলিয়ে নিজের মতো করে নিন, তারপর টিক তুলে সংরক্ষণ করুন।',
  'texts.is-draft': 'এখনো খসড়া: ক্রেতারা একটি নোট দেখেন',
  'texts.in-en': 'ইংরেজি',
  'texts.in-bn': 'বাংলা',
  'texts.heading': 'শিরোনাম',
  'texts.body': 'লেখা',
  'texts.how': 'খালি লাইনে নতুন অনুচ্ছেদ। উপশিরোনামের জন্য ## আর তালিকার জন্য - দিয়ে লাইন শুরু করুন।',
  'texts.preview': 'প্রিভিউ',
  'texts.open': 'দোকানে দেখুন',
  'audit.subject.text': 'নীতিমালা',
}
