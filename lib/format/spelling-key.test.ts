import { expect, test } from 'vitest'
import { foldText } from './text.ts'
import { spellingKey } from './spelling-key.ts'

const key = (word: string) => spellingKey(foldText(word))

const SAME: [name: string, ...words: string[]][] = [
  ['aspirated letters', 'kathal', 'katal', 'কাঁঠাল', 'কাঠাল', 'কাথাল'],
  ['plural', 'mango', 'mangos', 'mangoes', 'ম্যাঙ্গো'],
  ['plural of y', 'berry', 'berries'],
  ['plural after sh', 'radish', 'radishes'],
  ['doubled letters', 'banana', 'bannana', 'bananaa'],
  ['long and short i', 'লিচু', 'লীচু', 'lichu', 'leechu'],
  ['long and short u', 'কুমড়া', 'কূমড়া'],
  ['three letters for s', 'শসা', 'সসা', 'ষসা', 'shosa'],
  ['two letters for n', 'আনারস', 'আণারস', 'anaros'],
  ['j and z', 'পেঁয়াজ', 'পেয়াজ', 'peyaj', 'peyaz'],
  ['inherent vowel', 'গরু', 'গরূ', 'goru'],
  ['w', 'শাহীওয়াল', 'সাহিওয়াল', 'shahiwal'],
  ['conjunct of k and sh', 'ক্ষীর', 'খির', 'khir'],
  ['dotted letters', 'ষাঁড়', 'সাঁঢ়', 'shar'],
  ['c and k', 'cola', 'kola', 'কলা'],
  ['soft c', 'rice', 'rise'],
  ['v and bh', 'ভুট্টা', 'vutta', 'bhutta'],
]

test.each(SAME)('%s', (_name, first, ...others) => {
  expect(key(first)).toMatch(/^[a-z]{2,}$/)
  for (const other of others) expect([other, key(other)]).toEqual([other, key(first)])
})

const DIFFERENT = [
  ['goru', 'mango'],
  ['আলু', 'আম'],
  ['lal', 'kalo'],
  ['mag', 'mango'],
] as const

test.each(DIFFERENT)('%s is not %s', (one, other) => expect(key(one)).not.toBe(key(other)))

test.each(['k-101', '7712345678', '100%', '🐄', '-', ''])('a code or no letters: %s', (word) => expect(key(word)).toBe(''))

test('a hostile word takes no time', () => {
  const begin = performance.now()
  for (const word of ['h'.repeat(100), 'ch'.repeat(50), 'ক্ষ'.repeat(33), '্'.repeat(100), 's'.repeat(100)]) key(word)
  expect(performance.now() - begin).toBeLessThan(1000)
})
