import type { TranslationOf } from '#lib/i18n.ts'
import type { refusal as original } from '../en/refusal.ts'

export const refusal: TranslationOf<typeof original> = {
  'partial.invalid': 'সঠিক সংখ্যা লিখুন।',
  'partial.belowDelivery': (p) => `ডেলিভারি চার্জের (${p.amount}) চেয়ে কম দেওয়া যাবে না।`,
  'partial.aboveTotal': (p) => `মোট টাকার (${p.amount}) চেয়ে বেশি দেওয়া যাবে না।`,
  'partial.belowAdvance': (p) => `এই পণ্যগুলোর অগ্রিমের (${p.amount}) চেয়ে কম দেওয়া যাবে না।`,
  'refusal.empty-cart': 'কার্ট খালি',
  'refusal.unknown-product': 'পণ্যটি এখন পাওয়া যাচ্ছে না',
  'refusal.not-available': (p) => `${p.name} এখন পাওয়া যাচ্ছে না।`,
  'refusal.not-enough-stock': (p) => `${p.name} এত পরিমাণে আর নেই।`,
  'refusal.quantity-not-allowed': (p) => `${p.name} এই পরিমাণে অর্ডার করা যায় না।`,
  'refusal.listed-twice': (p) => `${p.name} অর্ডারে দুবার আছে।`,
  'refusal.area-closed-for-cattle': 'এই এলাকায় আমরা গরু পৌঁছে দিই না। অন্য এলাকা বেছে নিন।',
  'refusal.area-closed-for-produce': 'এই এলাকায় আমরা পণ্য পৌঁছে দিই না। অন্য এলাকা বেছে নিন।',
  'refusal.cod-not-offered': 'এই পণ্যগুলোর জন্য ক্যাশ অন ডেলিভারি নেই।',
  'refusal.below-gateway-minimum': 'অনলাইনে অন্তত ৳১০ দিতে হয়। বেশি অংশ দিন, অথবা ক্যাশ অন ডেলিভারি বেছে নিন।',
  'refusal.above-gateway-maximum': 'অনলাইনে একবারে ৳৫,০০,০০০ পর্যন্ত দেওয়া যায়। আংশিক পেমেন্ট বেছে নিন, বাকিটা পরে দিন।',
  'refusal.listing': 'এই মানটি ব্যবহার করা যায় না।',
}
