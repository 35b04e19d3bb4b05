import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { deliverySheet as original } from '#messages/en/admin/delivery-sheet.ts'

export const deliverySheet: TranslationOf<typeof original> = {
  'delivery-sheet.title': 'ডেলিভারি তালিকা',
  'delivery-sheet.sums': (p: { count: string; due: string }) => `${p.count}টি অর্ডার · আদায় করতে হবে ${p.due}`,
  'delivery-sheet.load': 'গাড়িতে যা উঠবে',
  'delivery-sheet.collection': 'খামার থেকে নিয়ে যাবেন',
  'delivery-sheet.no-area': 'এলাকা নেই',
  'delivery-sheet.order': 'অর্ডার',
  'delivery-sheet.customer': 'ক্রেতা',
  'delivery-sheet.items': 'পণ্য',
  'delivery-sheet.due': 'আদায়',
  'delivery-sheet.paid': 'পরিশোধিত',
  'delivery-sheet.of-due': (p: { amount: string }) => `মোট বাকি ${p.amount}`,
  'delivery-sheet.first': 'দুই ডেলিভারির প্রথমটি',
  'delivery-sheet.last': 'দুই ডেলিভারির দ্বিতীয়টি',
  'delivery-sheet.empty': 'এই দিনে কোনো ডেলিভারি নেই।',
  'delivery-sheet.cut': (p: { count: string }) => `তালিকায় প্রথম ${p.count}টি অর্ডার আছে। বাকিগুলোর জন্য অর্ডারের তালিকায় এলাকা বেছে নিন।`,
}
