import type { TranslationOf } from '#lib/i18n/translate.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { slots as original } from '#messages/en/admin/slots.ts'

export const slots: TranslationOf<typeof original> = {
  'slots.about': 'হোমপেজের সেকশন, ওপর থেকে নিচে। দেখানোর মতো কিছু না থাকলে সেকশনটি বাদ যায়।',
  'slots.add': 'সেকশন যোগ করুন',
  'slots.new': 'নতুন সেকশন',
  'slots.empty': 'এখনো কোনো সেকশন নেই। হোমপেজে পণ্য দেখাতে একটি যোগ করুন।',
  'slots.off': 'লুকানো',
  'slots.count': (p) => `${formatNumber(p.count, 'bn')}টি পণ্য`,
  'slots.left-out': (p) => `হোমপেজে জায়গা নেই: ${formatNumber(p.count, 'bn')}টি দেখা যায় না`,
  'slots.names': 'নাম',
  'slots.active': 'হোমপেজে দেখান',
  'slots.active-hint': 'লুকানো সেকশন এখানে থেকে যায়।',
  'slots.products': 'পণ্য',
  'slots.products-hint': 'এই ক্রমে, সর্বোচ্চ ৬০টি।',
  'slots.add-product': 'পণ্য যোগ করুন',
  'slots.no-products': 'এখনো কোনো পণ্য নেই। ওপরে খুঁজে যোগ করুন।',
  'slots.too-many': 'সর্বোচ্চ ৬০টি পণ্য বাছুন।',
  'slots.twice': 'একটি পণ্য একবারই বাছা যায়।',
  'slots.unknown-product': 'একটি পণ্য আর নেই। পাতাটি আবার লোড করুন।',
  'slots.delete-question': (p) => `${p.name} সেকশনটি মুছবেন?`,
  'slots.delete-text': 'সেকশনটি মুছে যাবে; পণ্যগুলো দোকানে থাকবে।',
}
