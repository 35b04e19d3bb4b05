import type { TranslationOf } from '#lib/i18n.ts'
import type { refusal as original } from '../en/refusal.ts'

export const refusal: TranslationOf<typeof original> = {
  'partial.invalid': 'সঠিক সংখ্যা লিখুন।',
  'partial.belowDelivery': (p) => `ডেলিভারি চার্জের (${p.amount}) চেয়ে কম দেওয়া যাবে না।`,
  'partial.aboveTotal': (p) => `মোট টাকার (${p.amount}) চেয়ে বেশি দেওয়া যাবে না।`,
  'partial.belowAdvance': (p) => `এই পণ্যগুলোর অগ্রিমের (${p.amount}) চেয়ে কম দেওয়া যাবে না।`,
}
