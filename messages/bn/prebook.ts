import type { TranslationOf } from '#lib/i18n/translate.ts'
import { prebook as english } from '../en/prebook.ts'

export const prebook: TranslationOf<typeof english> = {
  ...english,
  'prebook.name-required': 'নাম লিখুন',
  'prebook.phone-required': 'মোবাইল নম্বর লিখুন',
  'prebook.price-required': 'দামের পরিসর বেছে নিন',
  'prebook.check': 'ফর্মের ভুলগুলো ঠিক করুন',
  'prebook.failed': 'কিছু একটা সমস্যা হয়েছে!',
  'prebook.no-answer': 'বুকিং পাঠানো যায়নি। আবার চেষ্টা করুন।',
  'prebook.done': 'আপনার বুকিং সফলভাবে জমা হয়েছে!',
  'prebook.done-next': 'আমরা আপনাকে ফোন করব।',
}
