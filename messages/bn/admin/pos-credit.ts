import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { posCredit as original } from '#messages/en/admin/pos-credit.ts'

export const posCredit: TranslationOf<typeof original> = {
  'pos.store_credit': 'দোকানে জমা',
  'pos.credit.balance': 'দোকানে জমা রইল',
  'pos.credit.state': (p: { balance: string }) => `দোকানে জমা: ${p.balance}`,
  'pos.credit.has': (p) => `${p.balance} আছে`,
  'pos.credit.use': 'জমা থেকে নিন',
  'pos.credit.none': 'এই ক্রেতার দোকানে কিছু জমা নেই।',
  'pos.credit.too-little': (p: { balance: string }) => `দোকানে জমা আছে মাত্র ${p.balance}।`,
  'pos.credit.at-least': (p: { amount: string }) => `অন্তত ${p.amount} দোকানে জমা রাখতে হবে।`,
  'pos.credit.needs-phone': 'জমা রাখতে ক্রেতার ফোন লাগে।',
  'pos.credit.customers-only': 'জমা শুধু ক্রেতার জন্য, কর্মীর জন্য নয়।',
  'pos.credit.needs-network': 'দোকানে জমা টাকা ব্যবহার করতে ইন্টারনেট লাগে।',
  'pos.credit.used': 'দোকানে জমা থেকে পরিশোধ',
  'pos.credit.issued': 'রিফান্ড দোকানে জমা',
}
