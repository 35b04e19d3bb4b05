import { expect, it } from 'vitest'
import { PairFilter, pairQuery } from './pair-filter.ts'

const TEXTS = [' mango himsagar', ' আম হিমসাগর', ' sugarcane', ' 7700001234', '', ' ox']

it('never excludes a text that contains the parts', () => {
  const filter = new PairFilter()
  for (const [at, text] of TEXTS.entries()) filter.set(at, text)
  for (const [at, text] of TEXTS.entries())
    for (let from = 0; from < text.length; from++)
      for (let to = from + 1; to <= text.length; to++)
        expect(filter.mayMatch(at, pairQuery([text.slice(from, to), text.slice(0, from)])), text.slice(from, to)).toBe(true)
})

it('excludes texts without the letters, replaces a text, and grows', () => {
  const filter = new PairFilter()
  filter.set(50_000, ' mango')
  expect(filter.mayMatch(50_000, pairQuery([' man']))).toBe(true)
  expect(filter.mayMatch(50_000, pairQuery([' cow']))).toBe(false)
  filter.set(50_000, ' cow')
  expect(filter.mayMatch(50_000, pairQuery([' man']))).toBe(false)
  expect(filter.mayMatch(50_000, pairQuery([' cow']))).toBe(true)
  expect(filter.mayMatch(49_999, pairQuery([' cow']))).toBe(false)
  filter.set(49_999, null)
  expect(filter.mayMatch(49_999, pairQuery([' cow']))).toBe(true)
})
