// Coupons to try in the cart: one of each kind and an expired one.
import type { CouponKind } from '#features/pricing/rules.ts'

/** As the admin would write it; products by picture name, the end in days from now. */
interface DemoCoupon {
  code: string
  kind: CouponKind
  percent?: number
  value?: number
  max_discount?: number
  category_ids?: number[]
  products?: string[]
  min_subtotal?: number
  max_uses?: number
  max_uses_per_customer?: number
  first_order_only?: boolean
  endsIn: number
  note: string
}

export const COUPONS: DemoCoupon[] = [
  {
    code: 'EID10',
    kind: 'percentage',
    percent: 10,
    max_discount: 500,
    endsIn: 90,
    note: '10 % on what is flagged for coupons, at most 500 taka',
  },
  {
    code: 'FREEDEL',
    kind: 'free_shipping',
    category_ids: [3, 5],
    min_subtotal: 500,
    endsIn: 90,
    note: 'Free delivery with fruit or sugarcane, from 500 taka',
  },
  {
    code: 'TAKA100',
    kind: 'others',
    value: 100,
    min_subtotal: 1000,
    max_uses_per_customer: 3,
    endsIn: 90,
    note: '100 taka off from 1,000 taka, three times each',
  },
  {
    code: 'WELCOME15',
    kind: 'percentage',
    percent: 15,
    max_discount: 300,
    first_order_only: true,
    endsIn: 365,
    note: 'For the first order',
  },
  {
    code: 'FRUIT20',
    kind: 'percentage',
    percent: 20,
    products: ['guava', 'banana'],
    max_uses: 100,
    endsIn: 60,
    note: '20 % on guava and Sagar banana, which have no season',
  },
  { code: 'NABANNO', kind: 'percentage', percent: 5, endsIn: -1, note: 'The harvest feast, over' },
]
