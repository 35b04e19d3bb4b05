// Product groups and the popup of the home page.
import type { ProductStatus } from '#features/catalog/types.ts'
import type { Bilingual } from '#features/settings/settings.ts'
import { FRUITS } from './fruits.ts'
import { offerOn } from './harvest.ts'

interface DemoSlot {
  name: Bilingual
  /** Tag numbers of animals and picture names of produce, in display order. */
  shows: string[]
}

const MAX_FRESH = 8
const MAX_PRE_BOOKED = 2

/** The sections of a demo that is made on a day. Nothing in the last one can be ordered, so the page hides it. */
export const slotsOn = (today: string): DemoSlot[] => [
  {
    name: { en: 'Kurbani favourites', bn: 'কোরবানির পছন্দের গরু' },
    shows: ['K-101', 'K-103', 'K-107', 'K-108', 'K-104', 'K-109', 'K-116', 'K-119'],
  },
  {
    name: { en: 'Fresh this week', bn: 'এই সপ্তাহের টাটকা ফল' },
    shows: freshOn(today),
  },
  {
    name: { en: 'Beef cattle', bn: 'মাংসের গরু' },
    shows: ['B-203', 'B-202', 'B-207', 'B-204', 'B-208', 'B-206', 'B-212', 'B-214'],
  },
  {
    name: { en: 'From the cane field', bn: 'আখখেত থেকে' },
    shows: ['sugarcane', 'cane-bundle', 'gur', 'cane-seed'],
  },
  {
    name: { en: 'Back next season', bn: 'আগামী মৌসুমে আবার' },
    shows: [...fruitsWith(today, 'sold'), ...fruitsWith(today, 'out-of-stock')].slice(0, MAX_FRESH),
  },
]

/** Fruits in this state on a day, those with a season first. */
function fruitsWith(today: string, status: ProductStatus): string[] {
  const found = FRUITS.filter((fruit) => offerOn(fruit, today).status === status)
  return [...found.filter(({ harvest }) => harvest), ...found.filter(({ harvest }) => !harvest)].map(({ art }) => art)
}

/** Fruits of the season, then those of all year, then what can be ordered ahead. */
function freshOn(today: string): string[] {
  const ahead = fruitsWith(today, 'pre-book').slice(0, MAX_PRE_BOOKED)
  return [...fruitsWith(today, 'in-stock').slice(0, MAX_FRESH - ahead.length), ...ahead]
}

/** The buttons of the POS on a day, by picture name. */
export const posFavouritesOn = (today: string): string[] => [...fruitsWith(today, 'in-stock').slice(0, 7), 'gur', 'potato', 'onion']

export const POPUP = {
  alt: { en: 'Kurbani cows, weighed and tagged: book yours with 10,000 taka', bn: 'ওজন করা, ট্যাগ লাগানো কোরবানির গরু: ১০,০০০ টাকায় বুকিং' },
  link: '/kurbani',
}
