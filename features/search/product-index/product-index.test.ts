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
  textHash: fc.integer({ min: 0, max: TEXTS.length - 1 }),
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

/** Whether a text matches the LIKE patterns of the words, as in the database. */
function holds(text: string, words: readonly string[]): boolean {
  return words.every((word) => {
    const letters = likePattern(word).slice(1, -1).replace(/\\(.)/g, '$1')
    return text.includes(letters)
  })
}

const byId = (a: IndexedProduct, b: IndexedProduct) => a.id - b.id

test('lists and searches equal a plain filter, after any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(product, { maxLength: 8 }), query), { minLength: 1, maxLength: 6 }), (steps) => {
      const index = new ProductIndex()
      const known = new Map<number, IndexedProduct>()
      for (const [changes, requested] of steps) {
        const distinct = [
          ...new Map(changes.map((one) => [one.id, { ...one, text: TEXTS[one.textHash]!, barcode: null, tag: null }])).values(),
        ]
        index.put(distinct)
        for (const one of distinct) known.set(one.id, one)
        const shown = [...known.values()].filter((one) => one.isVisible)
        const wanted = shown
          .filter((one) => requested.categoryId === null || one.categoryId === requested.categoryId)
          .filter(
            (one) => one.price >= requested.low && one.price <= requested.high && (requested.rank === null || one.rank === requested.rank),
          )
          .filter((one) => holds(one.text, requested.words))
          .sort(({ ...a }, { ...b }) => {
            if (requested.sort === null) return a.rank - b.rank || byId(a, b)
            return (requested.sort === 'asc' ? a.price - b.price : b.price - a.price) || byId(a, b)
          })
          .map(({ id }) => id)
        expect(index.list(requested)).toEqual({ ids: wanted.slice(requested.from, requested.from + requested.limit), total: wanted.length })
        const found = shown.filter((one) => requested.words.length > 0 && holds(one.text, requested.words))
        expect(index.search(requested.words.join(' '), 3)).toEqual(
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
  textHash: 1,
  barcode: null,
  tag: null,
  ...more,
})

test('many matches come in the order of the index', () => {
  const index = new ProductIndex()
  index.put(Array.from({ length: 1000 }, (_, at) => plain(at + 1, at, { rank: at < 990 ? 3 : 0 })))
  expect(index.search('cow', 12)).toEqual([991, 992, 993, 994, 995, 996, 997, 998, 999, 1000, 1, 2])
  index.put([plain(1, 0, { isVisible: false }), plain(995, 0, { text: ' bull', textHash: 2 })])
  expect(index.search('cow', 12)).toEqual([991, 992, 993, 994, 996, 997, 998, 999, 1000, 2, 3, 4])
})

test('finds products near a price, and the price range of a category', () => {
  const index = new ProductIndex()
  expect(index.ends(1)).toEqual({ lowest: 0, highest: 0, inStock: false })
  index.put([
    plain(1, 100),
    plain(2, 300),
    plain(3, 200, { rank: 4 }),
    plain(4, 250),
    plain(5, 110, { categoryId: 2 }),
    plain(6, 150, { rank: 1 }),
  ])
  expect(index.near(1, 200, 2, 4)).toEqual([6, 1])
  expect(index.near(1, 250, 8, 0)).toEqual([4, 2, 6, 1])
  expect(index.ends(1)).toEqual({ lowest: 100, highest: 300, inStock: true })
})

test('needs a rebuild when many texts have changed', () => {
  const index = new ProductIndex()
  for (let n = 0; n <= 1002; n++) index.put([plain(1, 100, { text: ` cow${n}`, textHash: n })])
  expect(index.needsRebuild).toBe(true)
  expect(index.search('cow1002', 5)).toEqual([1])
  expect(index.search('cow7', 5)).toEqual([])
})
