// Words of choices in exported files. `also`: what forms and earlier files call them.
import type { Unit } from '#features/catalog/types.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import type { Choice } from './field-types.ts'

export const YES_NO = { yes: { en: 'yes', bn: 'হ্যাঁ' }, no: { en: 'no', bn: 'না' } }

export const KINDS = { animal: { en: 'animal', bn: 'পশু' }, goods: { en: 'goods', bn: 'পণ্য' } }

export const DISCOUNTS = {
  none: { en: 'none', bn: 'নেই' },
  percentage: { en: 'percent', bn: 'শতাংশ' },
  fixed: { en: 'taka', bn: 'টাকা', also: ['Fixed amount per unit', 'প্রতি এককে টাকা'] },
}

export const STATUS_WORDS: Record<(typeof PRODUCT_STATUSES)[number], Choice> = {
  'in-stock': { en: 'in stock', bn: 'স্টকে আছে' },
  'pre-book': { en: 'pre-order', bn: 'প্রি-অর্ডার' },
  hold: { en: 'on hold', bn: 'হোল্ডে আছে', also: ['হোল্ড'] },
  'out-of-stock': { en: 'out of stock', bn: 'স্টকে নেই' },
  sold: { en: 'sold', bn: 'বিক্রি হয়ে গেছে', also: ['বিক্রীত'] },
}

export const UNIT_WORDS: Record<Unit, Choice> = {
  kg: { en: 'kg', bn: 'কেজি' },
  piece: { en: 'piece', bn: 'পিস', also: ['টি'] },
  dozen: { en: 'dozen', bn: 'ডজন' },
  bundle: { en: 'bundle', bn: 'আঁটি' },
}
