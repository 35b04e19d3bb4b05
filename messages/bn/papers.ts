import type { TranslationOf } from '#lib/i18n.ts'
import type { papers as english } from '../en/papers.ts'

export const papers: TranslationOf<typeof english> = {
  'tracking.title': 'অর্ডার ট্র্যাকিং',
  'tracking.status': 'অর্ডারের অবস্থা',
  'tracking.day': ({ day }) => `সম্ভাব্য ডেলিভারি: ${day}`,
  'tracking.goods': 'এই অর্ডারের পণ্য',
  'tracking.private': 'নাম, ঠিকানা ও দাম শুধু ইনভয়েসে থাকে।',

  'animal.title': ({ tag }) => `পশু ${tag}`,
  'animal.heading': 'পশুর আইডি কার্ড',
  'animal.compare': 'কানের ট্যাগের নম্বরের সঙ্গে মিলিয়ে নিন।',
  'animal.health': 'স্বাস্থ্য রেকর্ড',
  'animal.no-health': 'এখনো কোনো রেকর্ড নেই।',
  'animal.health.vaccination': 'টিকা',
  'animal.health.deworming': 'কৃমিনাশক',
  'animal.health.check': 'পশু চিকিৎসকের পরীক্ষা',
  'animal.health.treatment': 'চিকিৎসা',
  'animal.vet': ({ vet }) => `${vet}`,
  'animal.paper': 'কাগজ দেখুন',
  'animal.buy': 'দোকানে দেখুন',

  'paper.in-words': 'কথায়',
  'paper.copy.customer': 'ক্রেতার কপি',
  'paper.copy.farm': 'খামারের কপি',
  'paper.sign-customer': 'গ্রহীতার স্বাক্ষর',
  'paper.sign-farm': 'কর্তৃপক্ষের স্বাক্ষর',
  'paper.track': 'অর্ডার ট্র্যাক করতে স্ক্যান বা চাপ দিন',
  'paper.print': 'প্রিন্ট',
  'paper.other-language': 'In English',
  'paper.count': ({ count }) => `${count}টি প্রিন্ট হবে`,
  'paper.missing': ({ ids }) => `পাওয়া যায়নি: ${ids}`,
  'paper.none': 'প্রিন্ট করার মতো অর্ডার নেই। আগে তালিকা থেকে অর্ডার বেছে নিন।',
  'paper.slip-title': ({ id }) => `রসিদ নং ${id}`,
  'paper.batch-title': 'প্রিন্টের ইনভয়েস',
  'paper.thanks': 'ধন্যবাদ। আবার আসবেন।',
}
