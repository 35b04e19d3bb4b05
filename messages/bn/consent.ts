import type { consent as english } from '../en/consent.ts'

export const consent: typeof english = {
  'consent.title': 'বিজ্ঞাপনের কুকি',
  'consent.text': 'দোকানে আসা ও বিজ্ঞাপনের হিসাব রাখতে আমরা কি গুগল ও ফেসবুকের কুকি ব্যবহার করতে পারি? না চাইলেও দোকান একইভাবে চলবে।',
  'consent.server-reports': 'অর্ডারের পর ফেসবুক আপনার ফোন, ইমেইল ও নামের সাংকেতিক রূপও পায়।',
  'consent.accept': 'অনুমতি দিন',
  'consent.refuse': 'না',
  'consent.close': 'বন্ধ করুন',
  'consent.change': 'কুকি সেটিংস',
}
