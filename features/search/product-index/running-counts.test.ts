import { expect, test } from 'vitest'
import { TRAITS, type TraitCounts } from './animal-traits.ts'
import { ProductIndex } from './product-index.ts'
import type { IndexedProduct } from './index-types.ts'

// Traits of price ranges, which are counted by sums of blocks, against those of the products one by one.

const COUNT = 2_000
const BREEDS = ['Deshi', 'Shahiwal', 'Friesian', null]

/** Pseudo-random numbers below a limit, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below
}

function products(random: (below: number) => number): IndexedProduct[] {
  return Array.from({ length: COUNT }, (_, at) => ({
    id: at + 1,
    categoryId: 1 + random(2),
    rank: random(4),
    price: random(500) * 100,
    isVisible: random(20) > 0,
    text: ` cow${at}`,
    textHash: at,
    name: 'cow',
    barcode: null,
    tag: null,
    traits: {
      weightGrams: null,
      breed: BREEDS[random(BREEDS.length)]!,
      breedBn: null,
      coat: random(3) > 0 ? `coat${random(5)}` : null,
      teeth: random(9),
      sex: random(2) > 0 ? 'bull' : 'cow',
    },
  }))
}

/** The same counts as lists without an order. */
const asText = (counts: TraitCounts) => TRAITS.map((trait) => counts[trait].map(({ value, count }) => `${value}: ${count}`).toSorted())

function countOneByOne(all: IndexedProduct[], categoryId: number, low: number, high: number): string[][] {
  const listed = all.filter((one) => one.isVisible && one.categoryId === categoryId && one.price >= low && one.price <= high)
  return TRAITS.map((trait) => {
    const counts = new Map<string | number, number>()
    for (const { traits } of listed) if (traits![trait] !== null) counts.set(traits![trait], (counts.get(traits![trait]) ?? 0) + 1)
    return [...counts].map(([value, count]) => `${value}: ${count}`).toSorted()
  })
}

test('ranges of any length have the traits of their products, also after changes', () => {
  const random = numbers(7)
  const all = products(random)
  const index = new ProductIndex()
  index.put(all)
  for (let turn = 0; turn < 400; turn++) {
    if (turn % 20 === 19) {
      const at = random(COUNT)
      all[at] = { ...all[at]!, price: random(500) * 100, traits: { ...all[at]!.traits!, breed: `New ${turn}`, coat: null } }
      index.put([all[at]])
    }
    const [categoryId, low] = [1 + random(3), random(60_000) - 5_000]
    const high = turn % 7 === 0 ? 100_000 : low + random(60_000)
    const sort = ([null, 'asc', 'desc'] as const)[turn % 3]!
    const counts = index.traitCounts({ categoryId, sort, low, high, rank: null, words: [], from: 0, limit: 20 })
    expect(asText(counts), `${categoryId} from ${low} to ${high}`).toEqual(countOneByOne(all, categoryId, low, high))
  }
})
