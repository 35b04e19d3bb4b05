import { expect, test } from 'vitest'
import { parseSearch } from './search-filter-rules.ts'

type Range = [from: number | null, to: number | null]
const CASES: [text: string, words: string, found: { weight?: Range; price?: Range }][] = [
  ['250 kg', '', { weight: [225, 275] }],
  ['250kg', '', { weight: [225, 275] }],
  ['২৫০ কেজি', '', { weight: [225, 275] }],
  ['250 kilo cow', 'cow', { weight: [225, 275] }],
  ['২৫০ কেজির গরু', 'গরু', { weight: [225, 275] }],
  ['গরু ২৫০-৩০০ কেজি', 'গরু', { weight: [250, 300] }],
  ['250 to 300 kg', '', { weight: [250, 300] }],
  ['under 250 kg', '', { weight: [null, 250] }],
  ['৩০০ কেজির উপরে', '', { weight: [300, null] }],
  ['300 kg+', '', { weight: [300, null] }],
  ['5 mon', '', { weight: [180, 220] }],
  ['৫ মণ গরু', 'গরু', { weight: [180, 220] }],
  ['under 1 lakh', '', { price: [null, 100_000] }],
  ['Cow under 1 Lakh', 'cow', { price: [null, 100_000] }],
  ['under 1.1 lakh', '', { price: [null, 110_000] }],
  ['1.1-1.3 lakh', '', { price: [110_000, 130_000] }],
  ['under 1000.555 taka', '', { price: [null, 1_000.56] }],
  ['under 1.005 mon', '', { weight: [null, 40.2] }],
  ['under 0.001 taka', 'under 0.001 taka', {}],
  ['১ লাখের নিচে', '', { price: [null, 100_000] }],
  ['১ লাখ টাকার নিচে গরু', 'গরু', { price: [null, 100_000] }],
  ['এক লাখের মধ্যে', '', { price: [null, 100_000] }],
  ['১ লক্ষ টাকার মধ্যে', '', { price: [null, 100_000] }],
  ['দেড় লাখের কম', '', { price: [null, 150_000] }],
  ['der lakh er moddhe', '', { price: [null, 150_000] }],
  ['1 lakh er niche', '', { price: [null, 100_000] }],
  ['50 hazar', '', { price: [43_000, 58_000] }],
  ['৫০ হাজার', '', { price: [43_000, 58_000] }],
  ['1.5 lac', '', { price: [128_000, 173_000] }],
  ['80k-1 lakh', '', { price: [80_000, 100_000] }],
  ['৮০ হাজার থেকে ১ লাখ', '', { price: [80_000, 100_000] }],
  ['৮০ হাজার থেকে ১ লাখের মধ্যে', '', { price: [80_000, 100_000] }],
  ['80-100k', '', { price: [80_000, 100_000] }],
  ['1-2 lakh', '', { price: [100_000, 200_000] }],
  ['between 80k and 1 lakh', '', { price: [80_000, 100_000] }],
  ['2 lakh - 1 lakh', '', { price: [100_000, 200_000] }],
  ['under 80000', '', { price: [null, 80_000] }],
  ['below 1,20,000 taka', '', { price: [null, 120_000] }],
  ['৳80,000', '', { price: [68_000, 92_000] }],
  ['mango under 500 tk', 'mango', { price: [null, 500] }],
  ['১ লাখের উপরে', '', { price: [100_000, null] }],
  ['more than 1 lakh', '', { price: [100_000, null] }],
  ['1 lakh+', '', { price: [100_000, null] }],
  ['৮০ হাজার থেকে', '', { price: [80_000, null] }],
  ['budget 1 lakh', '', { price: [85_000, 115_000] }],
  ['250 kg under 1 lakh', '', { weight: [225, 275], price: [null, 100_000] }],
  ['লাল গরু ২৫০ কেজি ১ লাখের নিচে', 'লাল গরু', { weight: [225, 275], price: [null, 100_000] }],
  ['5 kg mango', 'mango', {}],
]

test.each(CASES)('%s', (text, words, found) => {
  const parsed = parseSearch(text)
  const ranges = Object.fromEntries(parsed.filters.map(({ kind, from, to }) => [kind, [from, to]]))
  expect({ words: parsed.words, ranges }).toEqual({ words: words.normalize('NFC'), ranges: found })
})

const NONE = [
  'mango',
  'k-101',
  'K 101',
  '101',
  '5 kg',
  'br28',
  '7712345678',
  'under the tree',
  'লাল',
  '0 kg',
  '',
  '٣ kg',
  '999999999999999 lakh',
]
test.each(NONE)('%s has no filter', (text) => expect(parseSearch(text).filters).toEqual([]))

test('a removed filter leaves the others', () => {
  const { filters } = parseSearch('Red cow 250 kg, under 1 lakh')
  expect(filters.map(({ kind, without }) => [kind, without])).toEqual([
    ['weight', 'red cow under 1 lakh'],
    ['price', 'red cow 250 kg'],
  ])
})

test('a hostile text takes no time', () => {
  const begin = performance.now()
  for (const part of ['1 lakh ', '-', '9,', 'under ', '৳']) parseSearch(part.repeat(500))
  expect(performance.now() - begin).toBeLessThan(100)
})
