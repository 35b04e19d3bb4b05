import { expect, it } from 'vitest'
import { slugFor } from './slug-rules.ts'

it.each<[string, string[], string]>([
  ['Kurbani Cow', [], 'kurbani-cow'],
  [' Rice & Lentils! ', [], 'rice-lentils'],
  ['ফল', [], 'category'],
  ['Fruits', ['fruits', 'fruits-2'], 'fruits-3'],
])('%s, beside %j, is %s', (name, taken, slug) => {
  expect(slugFor(name, (one) => taken.includes(one))).toBe(slug)
})
