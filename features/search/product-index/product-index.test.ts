import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { likePattern, searchWords } from '#lib/format/search-term.ts'
import { ProductIndex, type IndexedProduct } from './product-index.ts'

const TEXTS = [
  '',
  ' mango আম 7712345678',
  ' green mango কাঁচা আম',
  ' banana কলা sagar',
  ' k-101 red bull লাল ষাঁড়',
  ' a nanana 100%',
  ' ab 🐄🐄 cow',
]
const WORDS = [
  '',
  'mango',
  'ang',
  'ma',
  'a',
  'আম',
  'লাল',
  'nana',
  'anana',
  '🐄',
  '🐄🐄',
  '771',
  '345678',
  '0%',
  'green mango',
  'ma আম',
  'zz',
  'k-101',
  '__',
]

const product = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  categoryId: fc.integer({ min: 1, max: 2 }),
  rank: fc.integer({ min: 0, max: 4 }),
  price: fc.constantFrom(0, 100, 5_000, 5_050, 90_000, MAX_PRICE_TAKA * 100),
  isVisible: fc.boolean(),
  textMark: fc.integer({ min: 0, max: TEXTS.length - 1 }),
})
const query = fc.record({
  categoryId: fc.constantFrom(null, 1, 2, 3),
  sort: fc.constantFrom(null, 'asc' as const, 'desc' as const),
  low: fc.constantFrom(0, 100, 5_001),
  high: fc.constantFrom(MAX_PRICE_TAKA * 100, 90_000, 5_049),
  rank: fc.constantFrom(null, 0, 3),
  words: fc.constantFrom(...WORDS).map(searchWords),
  from: fc.integer({ min: 0, max: 6 }),
  limit: fc.integer({ min: 1, max: 5 }),
})

/** What the words mean to the database: LIKE patterns of the text. */
function holds(text: string, words: readonly string[]): boolean {
  return words.every((word) => {
    const letters = likePattern(word).slice(1, -1).replace(/\\(.)/g, '$1')
    return text.includes(letters)
  })
}

const byId = (a: IndexedProduct, b: IndexedProduct) => a.id - b.id

test('lists and searches as a plain filter does, whatever has changed before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(product, { maxLength: 8 }), query), { minLength: 1, maxLength: 6 }), (steps) => {
      const shelf = new ProductIndex()
      const known = new Map<number, IndexedProduct>()
      for (const [changes, asked] of steps) {
        const distinct = [
          ...new Map(changes.map((one) => [one.id, { ...one, text: TEXTS[one.textMark]!, barcode: null, tag: null }])).values(),
        ]
        shelf.put(distinct)
        for (const one of distinct) known.set(one.id, one)
        const shown = [...known.values()].filter((one) => one.isVisible)
        const wanted = shown
          .filter((one) => asked.categoryId === null || one.categoryId === asked.categoryId)
          .filter((one) => one.price >= asked.low && one.price <= asked.high && (asked.rank === null || one.rank === asked.rank))
          .filter((one) => holds(one.text, asked.words))
          .sort(({ ...a }, { ...b }) => {
            if (asked.sort === null) return a.rank - b.rank || byId(a, b)
            return (asked.sort === 'asc' ? a.price - b.price : b.price - a.price) || byId(a, b)
          })
          .map(({ id }) => id)
        expect(shelf.list(asked)).toEqual({ ids: wanted.slice(asked.from, asked.from + asked.limit), total: wanted.length })
        const found = shown.filter((one) => asked.words.length > 0 && holds(one.text, asked.words))
        expect(shelf.search(asked.words.join(' '), 3)).toEqual(
          found
            .sort((a, b) => a.rank - b.rank || byId(a, b))
            .slice(0, 3)
            .map(({ id }) => id),
        )
      }
    }),
    { numRuns: 500 },
  )
})

const plain = (id: number, price: number, more: Partial<IndexedProduct> = {}): IndexedProduct => ({
  id,
  price,
  categoryId: 1,
  rank: 0,
  isVisible: true,
  text: ' cow',
  textMark: 1,
  barcode: null,
  tag: null,
  ...more,
})

test('many that are found come along the shelf', () => {
  const shelf = new ProductIndex()
  shelf.put(Array.from({ length: 1000 }, (_, at) => plain(at + 1, at, { rank: at < 990 ? 3 : 0 })))
  expect(shelf.search('cow', 12)).toEqual([991, 992, 993, 994, 995, 996, 997, 998, 999, 1000, 1, 2])
  shelf.put([plain(1, 0, { isVisible: false }), plain(995, 0, { text: ' bull', textMark: 2 })])
  expect(shelf.search('cow', 12)).toEqual([991, 992, 993, 994, 996, 997, 998, 999, 1000, 2, 3, 4])
})

test('says what stands next to a price, and the ends of a category', () => {
  const shelf = new ProductIndex()
  expect(shelf.ends(1)).toEqual({ lowest: 0, highest: 0, inStock: false })
  shelf.put([
    plain(1, 100),
    plain(2, 300),
    plain(3, 200, { rank: 4 }),
    plain(4, 250),
    plain(5, 110, { categoryId: 2 }),
    plain(6, 150, { rank: 1 }),
  ])
  expect(shelf.near(1, 200, 2, 4)).toEqual([6, 1])
  expect(shelf.near(1, 250, 8, 0)).toEqual([4, 2, 6, 1])
  expect(shelf.ends(1)).toEqual({ lowest: 100, highest: 300, inStock: true })
})

test('is worn when many texts have changed', () => {
  const shelf = new ProductIndex()
  for (let mark = 0; mark <= 1002; mark++) shelf.put([plain(1, 100, { text: ` cow${mark}`, textMark: mark })])
  expect(shelf.needsRebuild).toBe(true)
  expect(shelf.search('cow1002', 5)).toEqual([1])
  expect(shelf.search('cow7', 5)).toEqual([])
})
