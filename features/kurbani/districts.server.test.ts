import { expect, test } from 'vitest'
import { findPlace, matchPlaces, readPlaces } from './districts-rules.ts'
import { DISTRICTS } from './districts.server.ts'

const names = (typed: string) => matchPlaces(DISTRICTS, typed).map((district) => district.en)
const dhaka = findPlace(DISTRICTS, 'Dhaka')

test('64 districts, each with thanas of different names in both scripts', () => {
  expect(DISTRICTS).toHaveLength(64)
  for (const { en, bn, thanas } of DISTRICTS) {
    expect([en !== '', /[\u0980-\u09ff]/.test(bn), thanas.length > 0]).toEqual([true, true, true])
    expect(new Set(thanas.map((thana) => thana.en)).size).toBe(thanas.length)
  }
})

test.each([
  ['dha', 'Dhaka'],
  ['ঢাকা', 'Dhaka'],
  ['চট্ট', 'Chattogram'],
  ['chittag', 'Chattogram'],
  ['coxs', "Cox's Bazar"],
  ['Cox’s Bazar', "Cox's Bazar"],
  ['বগু', 'Bogura'],
  ['bazar', 'Moulvibazar'],
])('%s finds %s', (typed, expected) => {
  expect(names(typed)).toContain(expected)
})

test('names that start with the text come first; an empty text matches all; an unknown text matches none', () => {
  expect(names('raj')[0]).toMatch(/^Raj/)
  expect(names(' ')).toHaveLength(64)
  expect(names('qqqq')).toEqual([])
  expect(matchPlaces(dhaka?.thanas ?? [], 'ধানম').map((thana) => thana.en)).toEqual(['Dhanmondi'])
})

test.each([
  ['nothing', { district: '', thana: '' }, ['', '', {}]],
  ['English', { district: 'Dhaka', thana: 'Dhanmondi' }, ['Dhaka', 'Dhanmondi', {}]],
  ['Bengali', { district: 'ঢাকা', thana: 'ধানমন্ডি' }, ['Dhaka', 'Dhanmondi', {}]],
  ['an old name', { district: 'chittagong', thana: '' }, ['Chattogram', '', {}]],
  ['a thana of another district', { district: 'Chattogram', thana: 'Dhanmondi' }, ['Chattogram', '', { thana: 'thana-unknown' }]],
  ['a thana without its district', { district: '', thana: 'Dhanmondi' }, ['', '', { thana: 'thana-unknown' }]],
  ['no district of Bangladesh', { district: 'Kolkata', thana: 'x' }, ['', '', { district: 'district-unknown' }]],
])('read: %s', (_name, sent, [district, thana, problems]) => {
  expect(readPlaces(DISTRICTS, sent)).toEqual({ district, thana, problems })
})
