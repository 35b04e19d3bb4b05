import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { orderTags as original } from '#messages/en/admin/order-tags.ts'

export const orderTags: TranslationOf<typeof original> = {
  'admin-orders.tags': 'ট্যাগ',
  'admin-orders.tag': 'ট্যাগ',
  'admin-orders.tags-none': 'কোনো ট্যাগ নেই।',
  'admin-orders.tag-add': 'ট্যাগ যোগ করুন',
  'admin-orders.tag-remove': (p: { tag: string }) => `${p.tag} ট্যাগটি সরান`,
  'admin-orders.tag-is': (p: { tag: string }) => `ট্যাগ: ${p.tag}`,
  'admin-orders.tags-full': (p: { max: string }) => `একটি অর্ডারে সর্বোচ্চ ${p.max}টি ট্যাগ থাকে। আগে একটি সরান।`,
  'admin-orders.tags-full-orders': (p: { max: string; orders: string }) =>
    `এক অর্ডারে সর্বোচ্চ ${p.max}টি ট্যাগ। বদলায়নি: ${p.orders}। বাকিগুলো সংরক্ষণ হয়েছে।`,
  'admin-orders.tags-of': (p: { count: string }) => `${p.count}টি অর্ডারের ট্যাগ`,
  'admin-orders.tags-add': 'যোগ করুন',
  'admin-orders.tags-remove': 'সরান',
  'admin-orders.tag-long': 'ট্যাগ সর্বোচ্চ ৩০ অক্ষরের হয়।',
  'admin-orders.tags-many': 'একসঙ্গে অনেক বেশি ট্যাগ।',
  'admin-orders.event.tags': 'ট্যাগ বদলেছে',
}
