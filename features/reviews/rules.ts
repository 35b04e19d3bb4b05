// Reviews of delivered products: their states, limits, and how a buyer's name is shown.

import { latinDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'

export const REVIEW_STATES = ['waiting', 'published', 'refused'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

export const MAX_RATING = 5
/** Characters of a review, and of the staff's answer to it. */
export const MAX_REVIEW_LENGTH = 1000
/** Characters of the reason for which staff refuse a review. The buyer reads it. */
export const MAX_REFUSAL_LENGTH = 255
export const MAX_REVIEW_PICTURES = 3
const MAX_NAME_LETTERS = 30

/** Titles that are no name by themselves. */
const TITLES = new Set([
  'md',
  'md.',
  'mr',
  'mr.',
  'mrs',
  'mrs.',
  'ms',
  'ms.',
  'mst',
  'mst.',
  'dr',
  'dr.',
  'haji',
  'মো',
  'মো.',
  'মোঃ',
  'মোছাঃ',
  'ডা.',
  'হাজি',
])

/** A phone or an email that was typed as the name. */
const CONTACT = /@|(?:\d[\s-]*){6}/

/**
 * The name beside a review: `Rahim Uddin` is shown as `Rahim U.`, `Md. Rahim Uddin` as `Md. Rahim U.`. Empty for a phone or an email, which
 * nobody else may read.
 */
export function shortName(name: string): string {
  if (CONTACT.test(latinDigits(name))) return ''
  const words = name.trim().split(/\s+/)
  const given = TITLES.has(words[0]!.toLowerCase()) && words.length > 1 ? 2 : 1
  const family = words.length > given ? firstLetter(words.at(-1)!) : ''
  const shown = words.slice(0, given).map((word) => [...letters(word)].slice(0, MAX_NAME_LETTERS / given).join(''))
  // Cut by code points, as PostgreSQL counts: half of an emoji cannot be stored.
  return [...[...shown, ...(family ? [`${family}.`] : [])].join(' ')].slice(0, 2 * MAX_NAME_LETTERS).join('')
}

/** The letters of a word. A Bengali letter includes its vowel sign. */
function letters(word: string): string[] {
  return Array.from(new Intl.Segmenter('bn', { granularity: 'grapheme' }).segment(word), ({ segment }) => segment)
}

const firstLetter = (word: string) => letters(word)[0] ?? ''

/** The average rating with one decimal place. */
export function averageRating({ count, sum }: { count: number; sum: number }): number {
  return count === 0 ? 0 : Math.round((10 * sum) / count) / 10
}

/** The language of a text by its script, for screen readers and fonts. */
export function languageOf(text: string): Lang {
  return /[\u0980-\u09ff]/.test(text) ? 'bn' : 'en'
}
