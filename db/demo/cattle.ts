// The animals of the demo shop, one line each. Prices, weigh-ins and texts are computed from it.
import type { Coat, Sex } from '#features/catalog/trait-keys.ts'
import type { DiscountType, ProductStatus } from '#features/catalog/types.ts'
import type { Bilingual } from '#features/settings/settings.ts'

export const BREEDS = {
  deshi: { en: 'Deshi', bn: 'দেশি' },
  pabna: { en: 'Pabna', bn: 'পাবনা' },
  rcc: { en: 'Red Chittagong', bn: 'লাল চাটগাঁইয়া' },
  grey: { en: 'North Bengal Grey', bn: 'নর্থ বেঙ্গল গ্রে' },
  mirkadim: { en: 'Mirkadim', bn: 'মীরকাদিম' },
  sahiwal: { en: 'Sahiwal cross', bn: 'শাহীওয়াল ক্রস' },
  sindhi: { en: 'Sindhi cross', bn: 'সিন্ধি ক্রস' },
  brahman: { en: 'Brahman cross', bn: 'ব্রাহমা ক্রস' },
  friesian: { en: 'Friesian cross', bn: 'ফ্রিজিয়ান ক্রস' },
} satisfies Record<string, Bilingual>

export interface DemoAnimal {
  tag: string
  categoryId: 2 | 4
  breed: keyof typeof BREEDS
  coat: Coat
  sex: Sex
  kg: number
  teeth: 0 | 2 | 4 | 6 | 8
  status: ProductStatus
  discount?: { kind: DiscountType; value: number }
  video?: true
  /** Days until delivery of a booked animal. Kurbani cows are delivered in their season. */
  comesIn?: number
}

type Line = [
  tag: string,
  breed: DemoAnimal['breed'],
  coat: Coat,
  sex: DemoAnimal['sex'],
  kg: number,
  teeth: DemoAnimal['teeth'],
  status: ProductStatus,
  more?: Partial<DemoAnimal>,
]

const animals = (categoryId: 2 | 4, lines: Line[]): DemoAnimal[] =>
  lines.map(([tag, breed, coat, sex, kg, teeth, status, more]) => ({ tag, categoryId, breed, coat, sex, kg, teeth, status, ...more }))

const KURBANI = animals(4, [
  ['K-101', 'pabna', 'white', 'bull', 246.5, 2, 'in-stock', { video: true }],
  ['K-102', 'rcc', 'red', 'bull', 218, 2, 'in-stock'],
  ['K-103', 'sahiwal', 'brown', 'bull', 328.5, 4, 'in-stock', { video: true }],
  ['K-104', 'mirkadim', 'white', 'bull', 284, 4, 'in-stock'],
  ['K-105', 'deshi', 'black', 'bull', 207.5, 2, 'in-stock', { discount: { kind: 'fixed', value: 2000 } }],
  ['K-106', 'grey', 'grey', 'bull', 262, 2, 'in-stock'],
  ['K-107', 'friesian', 'pied', 'bull', 418, 4, 'in-stock'],
  ['K-108', 'brahman', 'grey', 'bull', 462.5, 6, 'in-stock', { video: true }],
  ['K-109', 'sindhi', 'red', 'bull', 305, 4, 'in-stock', { discount: { kind: 'percentage', value: 3 } }],
  ['K-110', 'deshi', 'fawn', 'cow', 224.5, 4, 'in-stock'],
  ['K-111', 'rcc', 'red', 'cow', 232, 6, 'in-stock'],
  ['K-112', 'pabna', 'black', 'bull', 297.5, 4, 'in-stock'],
  ['K-113', 'sahiwal', 'red', 'ox', 341, 6, 'in-stock'],
  ['K-114', 'deshi', 'red-pied', 'bull', 241, 2, 'in-stock'],
  ['K-115', 'friesian', 'pied', 'ox', 376.5, 6, 'in-stock'],
  ['K-116', 'brahman', 'white', 'bull', 436, 4, 'pre-book'],
  ['K-117', 'sahiwal', 'fawn', 'bull', 272.5, 2, 'pre-book', { discount: { kind: 'percentage', value: 2.5 } }],
  ['K-118', 'grey', 'white', 'bull', 254, 2, 'pre-book'],
  ['K-119', 'rcc', 'red', 'bull', 212.5, 2, 'hold'],
  ['K-120', 'mirkadim', 'white', 'cow', 238.5, 6, 'hold'],
  ['K-121', 'sindhi', 'brown', 'bull', 316, 4, 'hold'],
  ['K-122', 'pabna', 'grey', 'bull', 229, 2, 'sold'],
  ['K-123', 'brahman', 'black', 'bull', 394.5, 4, 'sold'],
  ['K-124', 'deshi', 'brown', 'bull', 203, 2, 'sold'],
  ['K-125', 'friesian', 'red-pied', 'bull', 352, 4, 'out-of-stock'],
  ['K-126', 'deshi', 'grey', 'ox', 248, 8, 'out-of-stock'],
])

const BEEF = animals(2, [
  ['B-201', 'deshi', 'red', 'bull', 162, 0, 'in-stock'],
  ['B-202', 'deshi', 'black', 'cow', 176.5, 8, 'in-stock', { discount: { kind: 'percentage', value: 5 } }],
  ['B-203', 'friesian', 'pied', 'bull', 288, 2, 'in-stock', { video: true }],
  ['B-204', 'sahiwal', 'brown', 'ox', 264.5, 6, 'in-stock'],
  ['B-205', 'rcc', 'red', 'bull', 193, 2, 'in-stock'],
  ['B-206', 'pabna', 'white', 'ox', 231, 4, 'in-stock'],
  ['B-207', 'brahman', 'grey', 'bull', 342.5, 2, 'in-stock'],
  ['B-208', 'deshi', 'fawn', 'heifer', 154.5, 0, 'in-stock', { discount: { kind: 'fixed', value: 1500 } }],
  ['B-209', 'sindhi', 'red', 'bull', 218.5, 2, 'in-stock'],
  ['B-210', 'friesian', 'black', 'bull', 307, 2, 'in-stock'],
  ['B-211', 'grey', 'grey', 'ox', 242, 4, 'in-stock'],
  ['B-212', 'deshi', 'red-pied', 'bull', 206.5, 2, 'pre-book'],
  ['B-213', 'sahiwal', 'fawn', 'bull', 278, 2, 'pre-book'],
  ['B-214', 'pabna', 'black', 'cow', 187, 8, 'hold'],
  ['B-215', 'deshi', 'brown', 'bull', 171, 0, 'out-of-stock'],
  ['B-216', 'friesian', 'pied', 'ox', 256.5, 4, 'sold'],
  ['B-217', 'brahman', 'white', 'bull', 364, 4, 'in-stock'],
  ['B-218', 'rcc', 'red', 'ox', 224, 6, 'sold', { comesIn: 3 }],
])

export const CATTLE: DemoAnimal[] = [...KURBANI, ...BEEF]
