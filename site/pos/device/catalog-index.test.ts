import { beforeEach, describe, expect, it } from 'vitest'
import type { CatalogRow } from '#features/pos/device-catalog.ts'
import { CatalogIndex } from './catalog-index.ts'

const row = (id: number, more: Partial<Record<'en' | 'bn' | 'words' | 'status' | 'barcode' | 'tag', string>> = {}): CatalogRow => [
  id,
  more.en ?? `Honey ${id}`,
  more.bn ?? `মধু ${id}`,
  more.words ?? '',
  10_000,
  'kg',
  (more.status ?? 'in-stock') as 'in-stock',
  null,
  0,
  3,
  0,
  more.barcode ?? null,
  more.tag ?? null,
  null,
]

let index: CatalogIndex
beforeEach(() => {
  index = new CatalogIndex()
  index.groups = { 3: 'produce' }
})
const found = (text: string) => index.search(text).map(({ id }) => id)

describe('search by code', () => {
  it('finds a whole barcode or tag in any letter case, and no part of one', () => {
    index.put([row(1, { barcode: '8900000000017' }), row(2, { tag: 'K-101' })])
    expect([index.byCode('8900000000017')?.id, index.byCode('k-101')?.id, index.byCode('890000000001')]).toEqual([1, 2, null])
  })

  it('finds a code in the digits and letters of a Bengali keyboard', () => {
    index.put([row(1, { barcode: '8900000000017' }), row(2, { tag: 'K-101' }), row(3, { tag: 'বি-২০১' })])
    expect(index.byCode('৮৯০০০০০০০০০১৭')?.id).toBe(1)
    expect(['K-১০১', 'কে-১০১', 'ক-101', 'k101', 'কে ১০১'].map((code) => index.byCode(code)?.id)).toEqual([2, 2, 2, 2, 2])
    expect([index.byCode('বি-201')?.id, index.byCode('B-201')]).toEqual([3, null])
  })

  it('removes a code that moved to another product, in any order of updates', () => {
    index.put([row(1, { barcode: 'AAAA' }), row(2)])
    index.put([row(2, { barcode: 'AAAA' }), row(1)])
    expect(index.byCode('aaaa')?.id).toBe(2)
    index.put([row(3, { barcode: 'AAAA' })])
    index.remove([2])
    expect(index.byCode('AAAA')?.id).toBe(3)
  })
})

describe('search by words', () => {
  it('finds a part of a tag in the digits and letters of a Bengali keyboard', () => {
    index.put([row(1, { tag: 'B-201' }), row(2, { tag: 'K-102' }), row(3, { en: 'Cow ২০১', tag: 'C-7' })])
    expect(found('২০১')).toEqual(found('201'))
    expect(found('২০১')).toEqual([3, 1])
    expect(found('বি-২০১')).toEqual([1])
    expect(found('কে-১')).toEqual([2])
    expect(found('k102')).toEqual([2])
  })

  it('matches Bengali and Latin text, all words, and other spellings', () => {
    index.put([row(1, { en: 'Himsagar mango', bn: 'হিমসাগর আম', words: 'aam' }), row(2, { en: 'Mango pickle' })])
    expect(found('MANGO')).toEqual([1, 2])
    expect(found('mango sagar')).toEqual([1])
    expect(found('সাগর')).toEqual([1])
    expect(found('aam')).toEqual([1])
  })

  it('matches two letters only at the start of a word, and ignores one letter', () => {
    index.put([row(1, { en: 'Mango' }), row(2, { en: 'Green mango' }), row(3, { en: 'Tamarind' })])
    expect([found('ma'), found('am'), found('m')]).toEqual([[1, 2], [], []])
  })

  it('lists an exact code first, then available products, at most twenty', () => {
    index.put([
      row(1, { status: 'sold' }),
      row(2, { status: 'out-of-stock' }),
      row(3, { status: 'pre-book' }),
      row(4),
      row(5, { tag: 'HONEY' }),
    ])
    expect(found('honey')).toEqual([5, 4, 3, 2, 1])
    index.put(Array.from({ length: 50 }, (_, at) => row(100 + at)))
    expect(found('honey')).toHaveLength(20)
  })

  it('lists a name before keywords and tags', () => {
    index.put([
      row(1, { en: 'Deshi cow', words: 'mangsho' }),
      row(2, { tag: 'MAN-7' }),
      row(3, { en: 'Langra mango', status: 'out-of-stock' }),
      row(4, { en: 'Romantic basket' }),
      row(5, { en: 'Green', bn: 'Mango' }),
    ])
    expect(found('man')).toEqual([5, 3, 1, 2, 4])
  })

  it('omits removed products and finds renamed ones by their new name', () => {
    index.put([row(1, { en: 'Honey' }), row(2, { en: 'Ghee' })])
    index.put([row(1, { en: 'Wax' })])
    index.remove([2, 77])
    expect([found('honey'), found('wax'), found('ghee'), index.size]).toEqual([[], [1], [], 1])
  })
})

it('searches 100,000 products quickly', () => {
  index.put(
    Array.from({ length: 100_000 }, (_, at) => row(at + 1, { en: `Honey of the forest ${at}`, barcode: String(8_900_000_000_000 + at) })),
  )
  const begin = performance.now()
  for (let n = 0; n < 20; n++) expect(found(`forest ${99_950 + n}`)).not.toEqual([])
  const each = (performance.now() - begin) / 20
  const began = performance.now()
  for (let n = 0; n < 1000; n++) expect(index.byCode(String(8_900_000_050_000 + n))?.id).toBe(50_001 + n)
  console.log(`words ${each.toFixed(1)} ms, code ${((performance.now() - began) / 1000).toFixed(4)} ms`)
  expect(each).toBeLessThan(500)
})
