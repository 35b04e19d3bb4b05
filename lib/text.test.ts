import { expect, test } from 'vitest'
import { cleanText, isStorable, isTooLong, searchForm, shorten } from './text.ts'

test('a kept text is composed, trimmed and free of control characters', () => {
  expect(cleanText('  Rahim\u0000 Uddin\t ')).toBe('Rahim  Uddin')
  expect(cleanText('\u200b\u200e \ufeff')).toBe('')
  expect(cleanText('\u202egro.live')).toBe('gro.live')
  expect(cleanText('line\nline')).toBe('line\nline')
  expect(cleanText('ক্\u200dষ')).toBe('ক্\u200dষ')
  expect(cleanText('\u09dc')).toBe(cleanText('\u09a1\u09bc'))
})

test('what a database would refuse is known before', () => {
  expect(isStorable('গরু 🐄')).toBe(true)
  expect(isStorable('a\u0000b')).toBe(false)
  expect(isStorable('a\ud800')).toBe(false)
})

test('search form', () => {
  expect(searchForm('  Red   COW ')).toBe('red cow')
})

test('a cut never splits a character', () => {
  expect(shorten('🐄🐄🐄', 3)).toBe('🐄🐄🐄')
  expect(shorten('🐄🐄🐄🐄', 3)).toBe('🐄🐄…')
})

test.each([
  ['x', 255],
  ['ক', 255],
  ['🐄', 255],
])('characters of a text are counted as PostgreSQL counts them: %s', (letter, max) => {
  expect([isTooLong(letter.repeat(max)), isTooLong(letter.repeat(max + 1)), isTooLong(letter.repeat(3 * max))]).toEqual([false, true, true])
})
