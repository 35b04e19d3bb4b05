import type { Bilingual } from '#features/settings/settings.ts'

interface DemoArea {
  name: Bilingual
  cattle: number | 'closed'
  produce: number
}

const dhaka = (en: string, bn: string, produce = 80): DemoArea => ({ name: { en, bn }, cattle: 1500, produce })

/** Delivery areas with their charges in taka. */
export const AREAS: DemoArea[] = [
  dhaka('Dhanmondi', 'ধানমন্ডি'),
  dhaka('Mirpur', 'মিরপুর'),
  dhaka('Uttara', 'উত্তরা'),
  dhaka('Gulshan and Banani', 'গুলশান ও বনানী'),
  dhaka('Mohammadpur', 'মোহাম্মদপুর'),
  dhaka('Bashundhara and Badda', 'বসুন্ধরা ও বাড্ডা'),
  dhaka('Khilgaon and Rampura', 'খিলগাঁও ও রামপুরা'),
  dhaka('Jatrabari', 'যাত্রাবাড়ী'),
  dhaka('Old Dhaka', 'পুরান ঢাকা'),
  dhaka('Savar', 'সাভার', 100),
  { name: { en: 'Chattogram city', bn: 'চট্টগ্রাম শহর' }, cattle: 2500, produce: 150 },
  { name: { en: 'Bogura', bn: 'বগুড়া' }, cattle: 950, produce: 120 },
  { name: { en: 'Rangpur', bn: 'রংপুর' }, cattle: 950, produce: 120 },
  { name: { en: 'Dinajpur', bn: 'দিনাজপুর' }, cattle: 950, produce: 120 },
  { name: { en: 'Sylhet city', bn: 'সিলেট শহর' }, cattle: 'closed', produce: 180 },
]

/** Saved addresses of the demo customers. One customer has none. */
export const ADDRESSES = [
  { phone: '01811000001', name: 'Farhana Rahman', area: 'Dhanmondi', address: 'House 12, Road 7A', landmark: 'Beside the lake' },
] as const
