// Product groups and the popup of the home page.
import type { Bilingual } from '#features/settings/settings.ts'

interface DemoSlot {
  name: Bilingual
  /** Tag numbers of animals and picture names of produce, in display order. */
  shows: string[]
}

/** Nothing in the last slot can be ordered, so the page hides it. */
export const SLOTS: DemoSlot[] = [
  {
    name: { en: 'Kurbani favourites', bn: 'কোরবানির পছন্দের গরু' },
    shows: ['K-101', 'K-103', 'K-107', 'K-108', 'K-104', 'K-109', 'K-116', 'K-119'],
  },
  {
    name: { en: 'Fruit from our orchards', bn: 'আমাদের বাগানের ফল' },
    shows: ['himsagar', 'amrapali', 'jackfruit', 'litchi', 'banana', 'pineapple', 'guava', 'coconut'],
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
    shows: ['gopalbhog', 'pomelo', 'champa'],
  },
]

/** The buttons of the POS, by picture name. */
export const POS_FAVOURITES = ['sugarcane', 'himsagar', 'jackfruit', 'banana', 'guava', 'coconut', 'pineapple', 'gur', 'litchi', 'potato']

export const POPUP = {
  alt: { en: 'Kurbani cows, weighed and tagged: book yours with 10,000 taka', bn: 'ওজন করা, ট্যাগ লাগানো কোরবানির গরু: ১০,০০০ টাকায় বুকিং' },
  link: '/kurbani',
}
