import type { TranslationOf } from '#lib/i18n.ts'
import { formatNumber } from '#lib/numbers.ts'
import type { slots as original } from '../../en/office/slots.ts'

export const slots: TranslationOf<typeof original> = {
  'slots.about': 'হোম পাতার সারিগুলো, ওপর থেকে। যে সারিতে ক্রেতার দেখার মতো কিছু নেই, সেটি দেখানো হয় না।',
  'slots.add': 'সারি যোগ করুন',
  'slots.new': 'নতুন সারি',
  'slots.empty': 'এখনো কোনো সারি নেই। এখানে একটি না রাখলে হোম পাতায় সারি থাকে না।',
  'slots.off': 'দেখানো হয় না',
  'slots.count': (p) => `${formatNumber(p.count, 'bn')}টি পণ্য`,
  'slots.names': 'নাম',
  'slots.active': 'হোম পাতায় দেখান',
  'slots.active-hint': 'টিক না থাকলে সারিটি এখানে থাকে, দেখানো হয় না।',
  'slots.products': 'এই সারিতে যা আছে',
  'slots.products-hint': 'এই ক্রমে, সর্বোচ্চ ৬০টি।',
  'slots.add-product': 'পণ্য যোগ করুন',
  'slots.no-products': 'এই সারিতে এখনো কিছু নেই। ওপরে পণ্য খুঁজুন।',
  'slots.too-many': 'এক সারিতে সর্বোচ্চ ৬০টি পণ্য থাকে।',
  'slots.twice': 'একটি পণ্য এক সারিতে একবারই থাকে।',
  'slots.unknown-product': 'একটি পণ্য আর নেই। পাতাটি আবার লোড করুন।',
  'slots.delete-question': (p) => `${p.name} সারিটি মুছবেন?`,
  'slots.delete-text': 'সারিটি যাবে; পণ্যগুলো দোকানে থাকবে।',
}
