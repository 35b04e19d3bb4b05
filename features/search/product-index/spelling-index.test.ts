import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spellingKey } from '#lib/format/spelling-key.ts'
import { ProductIndex } from './product-index.ts'
import { allowedEdits, SpellingIndex } from './spelling-index.ts'

const NAMES = {
  1: 'green mango কাঁচা আম',
  2: 'jackfruit কাঁঠাল',
  3: 'banana sagar সাগর কলা',
  4: 'k-101 red bull লাল ষাঁড় shahiwal শাহীওয়াল',
  5: 'onion পেঁয়াজ',
  6: 'pineapple আনারস',
  7: 'watermelon তরমুজ',
  8: 'mustard oil সরিষার তেল',
}

const index = new ProductIndex()
index.put(
  Object.entries(NAMES).map(([id, name]) => ({
    id: Number(id),
    categoryId: 1,
    rank: 0,
    price: 100,
    isVisible: true,
    text: ` ${name.normalize('NFC')}`,
    name: '',
    textHash: Number(id),
    barcode: null,
    tag: null,
  })),
)
const searchIn = (one: ProductIndex, term: string) => {
  const ids = one.search(term.normalize('NFC'), 20)
  return ids.length > 0 ? ids : one.searchSimilar(term.normalize('NFC'), 20)
}
const search = (term: string) => searchIn(index, term)

const FOUND: [term: string, id: number][] = [
  ['mago', 1],
  ['mangos', 1],
  ['mangoes', 1],
  ['amngo', 1],
  ['manggo', 1],
  ['jackfrut', 2],
  ['jakfrut', 2],
  ['jackfrui', 2],
  ['jackfrutt', 2],
  ['kathal', 2],
  ['katal', 2],
  ['কাঠাল', 2],
  ['bananas', 3],
  ['bannana', 3],
  ['sagor', 3],
  ['kola', 3],
  ['শাগর', 3],
  ['shaiwal', 4],
  ['sahiwal', 4],
  ['সাহিওয়াল', 4],
  ['সাড়', 4],
  ['red bul', 4],
  ['red bulls', 4],
  ['peyaj', 5],
  ['piyaj', 5],
  ['পেয়াজ', 5],
  ['onnion', 5],
  ['আণারশ', 6],
  ['pinapple', 6],
  ['pinaple', 6],
  ['watermellon', 7],
  ['wotermalon', 7],
  ['torমুজ', 7],
  ['তরমুয', 7],
  ['mustrad', 8],
  ['shorisha', 8],
]

test.each(FOUND)('%s is found', (term, id) => expect(search(term)).toEqual([id]))

const NOTHING = [
  'mg',
  'ma go',
  'mustardmustard',
  'xylophone',
  'k-102',
  'k102',
  'mago k-101',
  'tiger',
  'বাঘ',
  '🐄🐄🐄🐄',
  '%%%%',
  'm'.repeat(100),
]

test.each(NOTHING)('%s finds nothing', (term) => expect(search(term)).toEqual([]))

test('an exact match hides similar words', () => {
  const two = new ProductIndex()
  const product = { categoryId: 1, rank: 0, price: 1, isVisible: true, name: '', barcode: null, tag: null }
  two.put([
    { ...product, id: 1, text: ' mango', textHash: 1 },
    { ...product, id: 2, text: ' manga', textHash: 2 },
  ])
  expect(searchIn(two, 'manga')).toEqual([2])
  expect(searchIn(two, 'mangs')).toEqual([1, 2])
  // A hidden product's words stay in the index and must not hide others.
  two.put([{ ...product, id: 2, text: ' manga', textHash: 2, isVisible: false }])
  expect(searchIn(two, 'manga')).toEqual([1])
})

test('a word that is known as it is differs only when nothing has it with the others', () => {
  const four = new ProductIndex()
  const product = { categoryId: 1, rank: 0, price: 1, isVisible: true, name: '', barcode: null, tag: null }
  const texts = [' green mango', ' greens mango', ' red cow', ' green mangoes']
  four.put(texts.map((text, at) => ({ ...product, id: at + 1, text, textHash: at })))
  // The nearest spellings of the unknown word, with the known one as it is.
  expect(searchIn(four, 'green mangs')).toEqual([1, 2, 4])
  expect(searchIn(four, 'cow mangs')).toEqual([])
  expect(searchIn(four, 'greens cows')).toEqual([])
  expect(searchIn(four, 'cow ered')).toEqual([3])
  expect(searchIn(four, 'mango redd')).toEqual([])
  // Both are known, but not together.
  expect(searchIn(four, 'greens mangoes')).toEqual([1, 2, 4])
})

/** The plain algorithm over a whole matrix. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity
      rows[i]![j] = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), swapped)
    }
  }
  return rows[a.length]![b.length]!
}

test('tiers equal the plain edit distance, for words with the same first letter', () => {
  // Keys drop doubled letters, and those of one letter are not indexed.
  const hasKey = (text: string) => spellingKey(text).length > 1
  const letters = fc.array(fc.constantFrom(...'abgm'), { minLength: 2, maxLength: 10 })
  const word = letters.map((typed) => `m${typed.join('')}`).filter(hasKey)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), word, (words, typed) => {
      const spellings = new SpellingIndex()
      for (const [number, one] of words.entries()) spellings.add(one, number)
      const tiers = spellings.find(typed)
      const key = spellingKey(typed)
      const edits = allowedEdits(key.length)
      for (const [number, one] of words.entries()) {
        const away = distance(spellingKey(one), key)
        const isPrefix = key.length >= 3 && spellingKey(one).startsWith(key)
        const wanted = isPrefix && away > edits ? 0 : away <= edits ? away : null
        if (wanted !== null) expect(tiers[wanted]).toContain(number)
        else expect([...tiers[0], ...tiers[1]]).not.toContain(number)
      }
    }),
  )
})
