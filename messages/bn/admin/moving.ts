import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { moving as original } from '#messages/en/admin/moving.ts'

export const moving: TranslationOf<typeof original> = {
  'moving.up': (p) => `${p.name} ওপরে নিন`,
  'moving.down': (p) => `${p.name} নিচে নিন`,
  'moving.incomplete': 'এর মধ্যে তালিকা বদলে গেছে। আবার লোড করে তারপর সাজান।',
  'moving.saved': 'ক্রম সংরক্ষণ হয়েছে',
  'moving.failed': 'ক্রম সংরক্ষণ করা যায়নি',
  'moving.remove': (p) => `${p.name} সরান`,
  'moving.hidden': 'লুকানো',
}
