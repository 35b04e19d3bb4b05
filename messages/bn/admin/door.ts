import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { door as english } from '#messages/en/admin/door.ts'

export const door: TranslationOf<typeof english> = {
  'door.cash-not-delivered': 'নগদ টাকা শুধু ডেলিভারির সময় লেখা যায়। অবস্থা “ডেলিভার হয়েছে” বেছে নিন।',
  'door.cash-too-much': 'বাকির চেয়ে বেশি লেখা হয়েছে। পাতাটি আবার লোড করে বাকি দেখে নিন।',
  'door.title': ({ order, status }) => `অর্ডার ${order}: ${status}?`,
  'door.title-many': ({ count, status }) => `${count}টি অর্ডার: ${status}?`,
  'door.not-weighed': ({ tag }) => `${tag}: চূড়ান্ত ওজন হয়নি`,
  'door.not-settled': ({ tag, kg }) => `${tag}: ওজন ${kg}, হিসাব মেটানো বাকি`,
  'door.weighing-text': 'চূড়ান্ত ওজনে দাম ঠিক হয়। পশু বের হওয়ার আগে ওজন নিয়ে হিসাব মিটিয়ে নিন।',
  'door.second-ahead': ({ day }) => `দুইবারে ডেলিভারি, দ্বিতীয়টি ${day}। সেটি না পাঠানো পর্যন্ত অর্ডারটি প্রক্রিয়াধীন রাখুন।`,
  'door.cancel-first-made': 'প্রথম ডেলিভারি হয়তো হয়ে গেছে। বাতিল করলে সব পণ্য মজুতে ফেরত যাবে। শুধু দ্বিতীয়টি বাতিল করতে তার পণ্যগুলো সরান।',
  'door.handover': 'পণ্য হস্তান্তর',
  'door.over-counter': 'কাউন্টারেই দেওয়া হয়েছে',
  'door.due': ({ amount }) => `বাকি ${amount}`,
  'door.refund': (p: { amount: string }) => `${p.amount} বেশি দেওয়া হয়েছে। ফেরত লেখা না হওয়া পর্যন্ত অর্ডারটি “রিফান্ড বাকি” তালিকায় থাকবে।`,
  'door.collected': 'ডেলিভারির সময় নেওয়া টাকা (৳)',
  'door.collected-of': ({ order }) => `অর্ডার ${order}-এ নেওয়া টাকা (৳)`,
  'door.collected-hint': 'ক্যাশ অন ডেলিভারি হিসেবে লেখা হবে। কিছু না নিলে খালি রাখুন।',
  'door.fill': 'সবার পুরো টাকা নেওয়া হয়েছে',
  'door.clear': 'টাকা নেওয়া হয়নি',
  'door.more': ({ amount }) => `সর্বোচ্চ ${amount}`,
  'door.go': ({ status }) => `${status} করুন`,
  'door.go-collected': ({ status, amount }) => `${status}, ${amount} নেওয়া হয়েছে`,
  'door.go-not-collected': ({ status }) => `${status}, টাকা নেওয়া হয়নি`,
}
