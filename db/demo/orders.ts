// Past orders of the two demo customers and of guests: every order status at least once. Their produce has no season.
import type { OrderStatus } from '#features/orders/rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'

export interface DemoOrder {
  phone: string
  name: string
  area: string
  address: string
  daysAgo: number
  status: OrderStatus
  reason?: string
  /** Tag numbers or picture names, and how many units. */
  lines: [key: string, quantity: number][]
  /** Cash on delivery, online in advance, or an advance by manual transfer: verified, or `waiting` for verification. */
  pays: 'cash' | 'online' | 'advance' | 'waiting'
  lang: Lang
}

const FARHANA = { phone: '01811000001', name: 'Farhana Rahman', area: 'Dhanmondi', address: 'House 12, Road 7A', lang: 'en' } as const
const SELIM = { phone: '01811000002', name: 'মোহাম্মদ সেলিম', area: 'Mirpur', address: 'বাসা ৪১, রোড ৩, সেকশন ১০', lang: 'bn' } as const
const HASINA = {
  phone: '01911000003',
  name: 'Hasina Parvin',
  area: 'Chattogram city',
  address: '5 College Road, Chawkbazar',
  lang: 'bn',
} as const
const JAMIL = { phone: '01611000004', name: 'Jamil Ahmed', area: 'Uttara', address: 'House 3, Road 14, Sector 4', lang: 'en' } as const

export const ORDERS: DemoOrder[] = [
  {
    ...FARHANA,
    daysAgo: 41,
    status: 'completed',
    lines: [
      ['papaya', 10],
      ['lemon', 2],
    ],
    pays: 'cash',
  },
  { ...SELIM, daysAgo: 30, status: 'completed', lines: [['B-216', 1]], pays: 'advance' },
  { ...HASINA, daysAgo: 22, status: 'returned', reason: 'Half the fruit was crushed on the way', lines: [['banana', 4]], pays: 'online' },
  {
    ...JAMIL,
    daysAgo: 16,
    status: 'cancelled',
    reason: 'Ordered twice by mistake',
    lines: [
      ['gur', 2],
      ['rice', 10],
    ],
    pays: 'cash',
  },
  { ...HASINA, daysAgo: 9, status: 'processing', lines: [['K-123', 1]], pays: 'advance' },
  { ...FARHANA, daysAgo: 6, status: 'processing', lines: [['K-122', 1]], pays: 'advance' },
  { ...JAMIL, daysAgo: 5, status: 'processing', lines: [['K-124', 1]], pays: 'advance' },
  {
    ...JAMIL,
    daysAgo: 3,
    status: 'delivered',
    lines: [
      ['banana', 2],
      ['guava', 5],
      ['coconut', 10],
    ],
    pays: 'online',
  },
  { ...HASINA, daysAgo: 2, status: 'processing', lines: [['B-218', 1]], pays: 'advance' },
  {
    ...FARHANA,
    daysAgo: 1,
    status: 'on_delivery',
    lines: [
      ['guava', 10],
      ['coconut', 5],
    ],
    pays: 'online',
  },
  { ...SELIM, daysAgo: 0, status: 'placed', lines: [['K-119', 1]], pays: 'waiting' },
  {
    ...FARHANA,
    daysAgo: 0,
    status: 'placed',
    lines: [
      ['potato', 10],
      ['onion', 5],
      ['eggplant', 4],
    ],
    pays: 'cash',
  },
]
