// Unique words for names of generated products, each in both scripts.

const SYLLABLES = [
  ['ka', 'কা'],
  ['ki', 'কি'],
  ['ku', 'কু'],
  ['go', 'গো'],
  ['ga', 'গা'],
  ['cha', 'চা'],
  ['ja', 'জা'],
  ['ji', 'জি'],
  ['ta', 'তা'],
  ['ti', 'তি'],
  ['tu', 'তু'],
  ['da', 'দা'],
  ['di', 'দি'],
  ['na', 'না'],
  ['ni', 'নি'],
  ['nu', 'নু'],
  ['pa', 'পা'],
  ['pi', 'পি'],
  ['ba', 'বা'],
  ['bi', 'বি'],
  ['bu', 'বু'],
  ['ma', 'মা'],
  ['mi', 'মি'],
  ['mo', 'মো'],
  ['ra', 'রা'],
  ['ri', 'রি'],
  ['ru', 'রু'],
  ['la', 'লা'],
  ['li', 'লি'],
  ['lo', 'লো'],
  ['sha', 'শা'],
  ['ho', 'হো'],
] as const

/** The number of different words: four syllables of 32. */
export const WORD_COUNT = 32 ** 4

// An odd factor permutes the numbers below 32⁴, and neighbours get very different words.
const STRIDE = 730_087

/** The i-th word, in Latin and Bengali letters. */
export function wordPair(i: number): { en: string; bn: string } {
  let rest = (i * STRIDE) % WORD_COUNT
  let [en, bn] = ['', '']
  for (let place = 0; place < 4; place++) {
    const [latin, bengali] = SYLLABLES[rest % 32]!
    en += latin
    bn += bengali
    rest = Math.floor(rest / 32)
  }
  return { en: en[0]!.toUpperCase() + en.slice(1), bn }
}

export const PRODUCE = [
  { en: 'mango', bn: 'আম', categoryId: 3, taka: 90 },
  { en: 'litchi', bn: 'লিচু', categoryId: 3, taka: 210 },
  { en: 'guava', bn: 'পেয়ারা', categoryId: 3, taka: 60 },
  { en: 'papaya', bn: 'পেঁপে', categoryId: 3, taka: 50 },
  { en: 'banana', bn: 'কলা', categoryId: 3, taka: 70 },
  { en: 'pineapple', bn: 'আনারস', categoryId: 3, taka: 55 },
  { en: 'sugarcane', bn: 'আখ', categoryId: 5, taka: 20 },
  { en: 'potato', bn: 'আলু', categoryId: 6, taka: 30 },
  { en: 'onion', bn: 'পেঁয়াজ', categoryId: 6, taka: 75 },
  { en: 'rice', bn: 'চাল', categoryId: 6, taka: 95 },
]

export const ANIMALS = [
  { en: 'bull', bn: 'ষাঁড়' },
  { en: 'ox', bn: 'বলদ' },
  { en: 'cow', bn: 'গাভী' },
]
