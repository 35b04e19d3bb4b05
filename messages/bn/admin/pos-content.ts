import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { posContent as original } from '#messages/en/admin/pos-content.ts'

export const posContent: TranslationOf<typeof original> = {
  'pos.park.do': 'স্থগিত রাখুন',
  'pos.park.title': 'বিক্রি স্থগিত রাখুন',
  'pos.park.name': 'নাম দিন',
  'pos.park.example': 'লাল জামা',
  'pos.park.list': 'স্থগিত বিক্রি',
  'pos.park.none': 'কোনো স্থগিত বিক্রি নেই।',
  'pos.park.first': 'বর্তমান বিক্রিটি আগে স্থগিত হবে।',
  'pos.park.unnamed': (p) => `${p.time}-এর বিক্রি`,
  'pos.park.done': (p) => `স্থগিত: ${p.name}`,
  'pos.park.impossible': 'এই ডিভাইসে কিছু রাখা যাচ্ছে না। বিক্রিটি স্ক্রিনেই আছে।',
  'pos.park.gone': 'এই বিক্রি আগেই চালু করা হয়েছে।',
  'pos.park.prices-changed': (p) => `দাম বদলেছে: ${p.names}`,
  'pos.park.about': (p) => `স্থগিত বিক্রি সব কাউন্টারে ${p.days} দিন দেখা যায়। পণ্য আটকে রাখা হয় না: অন্য ক্রেতা কিনতে পারেন।`,
  'pos.park.by': (p) => (p.register ? `${p.cashier}, ${p.register}` : p.cashier),
  'pos.park.items': (p) => `${p.count}টি পণ্য`,
  'pos.park.until': (p) => `${p.day} পর্যন্ত`,
  'pos.park.device-only': 'শুধু এই ডিভাইসে',
  'pos.park.needs-network': 'নেটওয়ার্ক লাগবে',
  'pos.park.offline': 'নেটওয়ার্ক নেই: অন্য কাউন্টারের স্থগিত বিক্রি না-ও দেখা যেতে পারে।',
  'pos.park.no-answer': 'দোকানের উত্তর আসেনি। বিক্রিটি স্থগিতই আছে; আবার চেষ্টা করুন।',
  'pos.park.taken': (p) => `${p.name} এই বিক্রি ${p.time}-এ চালু করেছেন।`,
  'pos.park.expired': 'এই স্থগিত বিক্রি আর জমা নেই।',
  'pos.park.too-many': (p) => `দোকানে এরই মধ্যে ${p.count}টি বিক্রি স্থগিত আছে। এটি শুধু এই ডিভাইসে থাকল।`,
}
