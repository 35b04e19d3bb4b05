import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitizeText, compose, isStorable, isTooLong, maxRawLength, searchForm, shorten, truncate } from './text.ts'

test('a sanitized text is composed, trimmed and free of control characters', () => {
  expect(sanitizeText('  Rahim\u0000 Uddin\t ')).toBe('Rahim  Uddin')
  expect(sanitizeText('\u200b\u200e \ufeff')).toBe('')
  expect(sanitizeText('\u202egro.live')).toBe('gro.live')
  expect(sanitizeText('line\nline')).toBe('line\nline')
  expect(sanitizeText('ক্\u200dষ')).toBe('ক্\u200dষ')
  expect(sanitizeText('\u09dc')).toBe(sanitizeText('\u09a1\u09bc'))
})

test('invisible characters are trimmed at both ends, and not inside', () => {
  const piece = fc.constantFrom(' ', '\n', '\u00a0', '\u200b', '\u200d', '\u2060', '\ufeff', '\t', 'x', 'ক', 'কা', '🐄')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const edge = /^[\s\u200b-\u200f\u2060]|[\s\u200b-\u200f\u2060]$/
      const cleaned = sanitizeText(pieces.join(''))
      expect(edge.test(cleaned)).toBe(false)
      expect(sanitizeText(cleaned)).toBe(cleaned)
      expect(pieces.join('').replaceAll(/[\ufeff\t]/g, ' ')).toContain(cleaned)
    }),
  )
})

test('of combining marks in a row thirty stay; words of every script keep theirs', () => {
  expect(sanitizeText(`a${'\u0301'.repeat(50)}b`)).toBe(`á${'\u0301'.repeat(29)}b`)
  for (const word of ['কৃষ্ণচূড়া', 'ක්‍රිස්තු', 'हिन्दी', 'שָׁלוֹם', 'thiếu', 'ဗုဒ္ဓ'])
    expect(sanitizeText(word.normalize('NFD'))).toBe(word.normalize('NFC'))
  expect(compose('ﬁ', 'NFKC')).toBe('fi')
})

test('no text that is short enough after normalization exceeds the raw limit', () => {
  // Four units become one: the most that NFC composes.
  const raw = ' '.repeat(500) + '\u03b1\u0313\u0300\u0345'.repeat(255) + ' '.repeat(500)
  expect([...sanitizeText(raw)]).toHaveLength(255)
  expect(raw.length).toBe(maxRawLength(255))
})

test('texts that PostgreSQL rejects are detected', () => {
  expect(isStorable('গরু 🐄')).toBe(true)
  expect(isStorable('a\u0000b')).toBe(false)
  expect(isStorable('a\ud800')).toBe(false)
})

test('the search form has small letters, single spaces and Latin digits', () => {
  expect(searchForm('  Red   COW ')).toBe('red cow')
  expect(searchForm('B-২০১ আম ৫')).toBe('b-201 আম 5')
})

test('a cut never splits a character', () => {
  expect(truncate('🐄🐄🐄', 3)).toBe('🐄🐄🐄')
  expect(truncate('🐄🐄🐄🐄', 3)).toBe('🐄🐄🐄')
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
