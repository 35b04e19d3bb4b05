import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { likePattern, searchWords } from '#lib/format/search-term.ts'
import type { TraitFilter } from './animal-traits.ts'
import type { IndexedProduct } from './index-types.ts'
import { ProductIndex } from './product-index.ts'

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
  furtherIds: fc.subarray([1, 2, 3]),
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
  last: fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 6 }),
})

/** Whether a text matches the LIKE patterns of the words, as in the database. */
function holds(text: string, words: readonly string[]): boolean {
  return words.every((word) => {
    const letters = likePattern(word).slice(1, -1).replace(/\\(.)/g, '$1')
    return text.includes(letters)
  })
}

/** Of the texts above, the first word is the name. */
const nameOf = (text: string) => text.split(' ').slice(0, 2).join(' ')
const byId = (a: IndexedProduct, b: IndexedProduct) => a.id - b.id

const withText = (one: Omit<IndexedProduct, 'text' | 'name' | 'barcode' | 'tag'>, text: string): IndexedProduct => ({
  ...one,
  text,
  name: nameOf(text),
  barcode: null,
  tag: null,
})

test('lists and searches equal a plain filter, after any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(product, { maxLength: 8 }), query), { minLength: 1, maxLength: 6 }), (steps) => {
      const index = new ProductIndex()
      const known = new Map<number, IndexedProduct>()
      for (const [changes, requested] of steps) {
        const distinct = [...new Map(changes.map((one) => [one.id, withText(one, TEXTS[one.textHash]!)])).values()]
        index.put(distinct)
        for (const one of distinct) known.set(one.id, one)
        const shown = [...known.values()].filter((one) => one.isVisible)
        const wanted = shown
          .filter(
            ({ categoryId, furtherIds = [] }) =>
              requested.categoryId === null || [categoryId, ...furtherIds].includes(requested.categoryId),
          )
          .filter(
            (one) => one.price >= requested.low && one.price <= requested.high && (requested.rank === null || one.rank === requested.rank),
          )
          .filter((one) => holds(one.text, requested.words))
          .sort(({ ...a }, { ...b }) => {
            if (requested.sort === null) return a.rank - b.rank || byId(a, b)
            return (requested.sort === 'asc' ? a.price - b.price : b.price - a.price) || byId(a, b)
          })
          .map(({ id }) => id)
        const { low, high, from, limit } = requested
        const isPlain =
          requested.sort === null && low === 0 && high === MAX_PRICE_TAKA * 100 && requested.rank === null && requested.words.length === 0
        const isLast = (id: number) => isPlain && requested.last.includes(id)
        const listed = [...wanted.filter((id) => !isLast(id)), ...wanted.filter(isLast)]
        expect(index.list(requested)).toEqual({ ids: listed.slice(from, from + limit), total: wanted.length })
        const found = shown.filter((one) => requested.words.length > 0 && holds(one.text, requested.words))
        const isOther = ({ name }: IndexedProduct) => Number(!requested.words.every((word) => name.startsWith(` ${word}`)))
        expect(index.search(requested.words.join(' '), 3)).toEqual(
          found
            .sort((a, b) => isOther(a) - isOther(b) || a.rank - b.rank || byId(a, b))
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
  name: ' cow',
  textHash: 1,
  barcode: null,
  tag: null,
  ...more,
})

test('a name comes before other words, such as keywords, even when it is not in stock', () => {
  const index = new ProductIndex()
  index.put([
    plain(1, 0, { text: ' deshi cow মাংস mangsho', name: ' deshi cow' }),
    plain(2, 0, { text: ' langra mango', textHash: 2, name: ' langra mango', rank: 3 }),
    plain(3, 0, { text: ' mango pickle', textHash: 3, name: ' mango pickle' }),
    plain(4, 0, { text: ' romantic basket', textHash: 4, name: ' romantic basket' }),
  ])
  expect(index.search('man', 5)).toEqual([3, 2, 1, 4])
  expect(index.search('man', 2)).toEqual([3, 2])
  index.put([plain(3, 0, { text: ' mango pickle', textHash: 3, name: ' pickle' })])
  expect(index.search('man', 5)).toEqual([2, 1, 3, 4])
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

test('the products that come last are no part of a list of another rank', () => {
  const index = new ProductIndex()
  index.put([plain(1, 100), plain(2, 200, { rank: 3 }), plain(3, 300)])
  const list = (rank: number | null) =>
    index.list({ categoryId: null, sort: null, low: 0, high: MAX_PRICE_TAKA * 100, rank, words: [], from: 0, limit: 9, last: [1] })
  expect(list(null)).toEqual({ ids: [3, 2, 1], total: 3 })
  expect(list(3)).toEqual({ ids: [2], total: 1 })
  expect(list(0)).toEqual({ ids: [1, 3], total: 2 })
})

test('needs a rebuild when many texts have changed', () => {
  const index = new ProductIndex()
  for (let n = 0; n <= 1002; n++) index.put([plain(1, 100, { text: ` cow${n}`, textHash: n })])
  expect(index.needsRebuild).toBe(true)
  expect(index.search('cow1002', 5)).toEqual([1])
  expect(index.search('cow7', 5)).toEqual([])
})

test('filters animals by weight, breed, colour and teeth', () => {
  const index = new ProductIndex()
  const bull = { weightGrams: 250_000, breed: 'Deshi', breedBn: 'দেশি', coat: 'red', teeth: 2, sex: 'bull' }
  index.put([
    plain(1, 100, { traits: bull }),
    plain(2, 200, { traits: { ...bull, weightGrams: 300_000, coat: 'black' } }),
    plain(3, 300, { traits: { ...bull, weightGrams: null, teeth: 0 } }),
    plain(4, 400),
  ])
  const list = (traits: TraitFilter) =>
    index.list({ categoryId: 1, sort: null, low: 0, high: MAX_PRICE_TAKA * 100, rank: null, words: [], traits, from: 0, limit: 9 })
  expect(list({})).toEqual({ ids: [1, 2, 3, 4], total: 4 })
  expect(list({ minGrams: 1 })).toEqual({ ids: [1, 2], total: 2 })
  expect(list({ minGrams: 250_000, maxGrams: 299_999 })).toEqual({ ids: [1], total: 1 })
  expect(list({ breed: 'Deshi', teeth: 0 })).toEqual({ ids: [3], total: 1 })
  expect(list({ coat: 'black' })).toEqual({ ids: [2], total: 1 })
  expect(list({ coat: 'green' })).toEqual({ ids: [], total: 0 })
  index.put([plain(1, 100, { traits: { ...bull, coat: 'green' } })])
  expect(list({ coat: 'green' })).toEqual({ ids: [1], total: 1 })
})
