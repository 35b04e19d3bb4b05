// Weight and budget in a search text: "250 kg", "১ লাখের নিচে", "80k-1 lakh". Docs: docs/domain.md#search-featuressearch.
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { searchForm } from '#lib/format/text.ts'

/** A range of weights in kilograms or prices in taka; null: no bound. `without`: the search text when this filter is removed. */
export interface SearchFilter {
  kind: 'weight' | 'price'
  from: number | null
  to: number | null
  without: string
}

/** A search text in parts: the words that products must have, and the filters. */
export interface ParsedSearch {
  words: string
  filters: SearchFilter[]
}

interface Token {
  text: string
  start: number
  end: number
}

interface Amount {
  value: number
  kind: 'weight' | 'price' | null
  multiplier: number | null
  next: number
}

interface Span {
  kind: 'weight' | 'price' | 'quantity'
  from: number | null
  to: number | null
  first: number
  next: number
}

const oneOf = (words: string) => new Set(words.split(' ').map((word) => word.normalize('NFC')))
const table = (rows: Record<string, number>) =>
  new Map(Object.entries(rows).flatMap(([words, value]) => [...oneOf(words)].map((word) => [word, value] as const)))

const MULTIPLIERS = table({
  'k hazar hajar hazaar hajaar thousand হাজার': 1_000,
  'lakh lakhs lac lacs lak laks lokkho লাখ লক্ষ লাক': 100_000,
  'crore koti কোটি': 10_000_000,
})
/** Numbers as words; they count before a multiplier only. */
const NUMBER_WORDS = table({
  'half আধা adha': 0.5,
  'one ek এক a': 1,
  'সোয়া shoya': 1.25,
  'দেড় der': 1.5,
  'two dui দুই': 2,
  'আড়াই arai': 2.5,
  'three tin তিন': 3,
  'four char চার': 4,
  'five panch পাঁচ': 5,
})
const CURRENCIES = oneOf('৳ tk taka bdt টাকা টাকায় takay')
/** Kilograms a unit. A mon is counted as 40 kg, as cattle markets do. */
const WEIGHTS = table({ 'kg kgs kilo kilos kilogram kilograms কেজি কিলো': 1, 'mon mond maund মণ মন': 40 })

const UP_TO = oneOf('under below within upto max maximum সর্বোচ্চ')
const FROM = oneOf('above over min minimum from সর্বনিম্ন')
const UP_TO_AFTER = oneOf('নিচে নীচে মধ্যে কমে কম ভিতরে ভেতরে পর্যন্ত niche nicher moddhe kome kom vitore vetore porjonto max or')
const FROM_AFTER = oneOf('উপরে ওপরে উপর ওপর বেশি বেশী upore upor beshi + plus')
const BETWEEN = oneOf('- – — ~ to theke থেকে হতে and')
const GENITIVES = oneOf('er ের এর')
/** Words beside a filter that name no product. */
const NOISE = oneOf(
  'budget বাজেট price dam দাম dame দামে weight ojon wt ওজন ওজনের live between around about প্রায় approx টাকার taka tk for of in the',
)

/** A weight below this is a quantity, not the weight of an animal. */
const MIN_ANIMAL_KG = 40
const MAX_KG = 2_000
/** A bare number is a price only from here on, and only with a bound. */
const MIN_BARE_PRICE = 1_000
/** The half width of the range around one weight or price, in percent. */
const AROUND = { weight: 10, price: 15 }
const TOKEN = /৳|\+|[-–—~]|\d+(?:,\d+)*(?:\.\d+)?|[\p{L}\p{M}\u200c\u200d]+/gu

/** The filters of a typed search text. Without a filter `words` is the normalized text. */
export function parseSearch(raw: string): ParsedSearch {
  const text = searchForm(raw.slice(0, 500))
  const tokens = [...text.matchAll(TOKEN)].map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
  const spans: Span[] = []
  for (let at = 0; at < tokens.length;) {
    const span = readSpan(tokens, at)
    if (span) spans.push(span)
    at = span ? span.next : at + 1
  }
  const used = spans.filter((one, at) => one.kind === 'quantity' || spans.findIndex(({ kind }) => kind === one.kind) === at)
  const filters = used.filter((span) => span.kind !== 'quantity')
  const words = cut(text, tokens, used, true)
  // A quantity alone is no filter, and without other words it is what was searched for.
  if (filters.length === 0 && (used.length === 0 || words === '')) return { words: text, filters: [] }
  return {
    words,
    filters: filters.map((span) => ({
      kind: span.kind as SearchFilter['kind'],
      from: span.from,
      to: span.to,
      without: cut(text, tokens, [span], false),
    })),
  }
}

/** The text without the spans, and on request without words that name no product. */
function cut(text: string, tokens: readonly Token[], spans: readonly Span[], dropsNoise: boolean): string {
  let rest = text
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at]!
    const isUsed = spans.some(({ first, next }) => at >= first && at < next)
    if (isUsed || (dropsNoise && NOISE.has(token.text))) rest = `${rest.slice(0, token.start)} ${rest.slice(token.end)}`
  }
  return rest.replace(/[\s,;:]+/g, ' ').trim()
}

/** Reads a weight, a price or a range of them, with the words that bound it. */
function readSpan(tokens: readonly Token[], first: number): Span | null {
  const before = readBound(tokens, first)
  const one = readAmount(tokens, before.next)
  if (!one) return null
  const range = readRange(tokens, one)
  const last = range ?? one
  const after = range ? { bound: null, next: last.next } : readBoundAfter(tokens, last.next)
  const bound = before.bound ?? after.bound
  const kind = last.kind ?? one.kind ?? kindOfBare(last, bound !== null || range !== null)
  if (kind === null) return null
  const next = Math.max(last.next, after.next)
  if (range) return spanOf(kind, Math.min(one.value, last.value), Math.max(one.value, last.value), first, next)
  if (bound === 'to') return spanOf(kind, null, last.value, first, next)
  if (bound === 'from') return spanOf(kind, last.value, null, first, next)
  if (kind === 'weight' && last.value < MIN_ANIMAL_KG) return { kind: 'quantity', from: null, to: null, first, next }
  const { low, high } = around(kind, last.value)
  return spanOf(kind, low, high, first, next)
}

function kindOfBare(amount: Amount, isBounded: boolean): 'price' | null {
  return amount.multiplier !== null || (isBounded && amount.value >= MIN_BARE_PRICE) ? 'price' : null
}

function around(kind: 'weight' | 'price', value: number): { low: number; high: number } {
  const step = kind === 'weight' ? 5 : value >= 10_000 ? 1_000 : 10
  const round = (amount: number) => Math.round(amount / step) * step
  return { low: round((value * (100 - AROUND[kind])) / 100), high: round((value * (100 + AROUND[kind])) / 100) }
}

/** Null for a range that no product can have. The bounds are whole grams or poisha: 1.1 lakh is 110000.00000000001 as a product of floats. */
function spanOf(kind: 'weight' | 'price', low: number | null, high: number | null, first: number, next: number): Span | null {
  const [max, parts] = kind === 'weight' ? [MAX_KG, 1000] : [MAX_PRICE_TAKA, 100]
  const whole = (bound: number | null) => (bound === null ? null : Math.round(bound * parts) / parts)
  const [from, to] = [whole(low), whole(high)]
  if ((from ?? 0) > max || to === 0) return null
  return { kind, from, to: to !== null && to >= max ? null : to, first, next }
}

function readBound(tokens: readonly Token[], at: number): { bound: 'from' | 'to' | null; next: number } {
  const [one = '', two = ''] = [tokens[at]?.text, tokens[at + 1]?.text]
  const pair = `${one} ${two}`
  if (pair === 'less than' || pair === 'up to' || pair === 'not over') return { bound: 'to', next: at + 2 }
  if (pair === 'more than' || pair === 'at least') return { bound: 'from', next: at + 2 }
  if (UP_TO.has(one)) return { bound: 'to', next: at + 1 }
  if (FROM.has(one)) return { bound: 'from', next: at + 1 }
  return { bound: null, next: at }
}

function readBoundAfter(tokens: readonly Token[], from: number): { bound: 'from' | 'to' | null; next: number } {
  const at = GENITIVES.has(tokens[from]?.text ?? '') ? from + 1 : from
  const word = tokens[at]?.text ?? ''
  if (word === 'থেকে' || word === 'theke') return { bound: 'from', next: at + 1 }
  if (UP_TO_AFTER.has(word)) return { bound: 'to', next: at + 1 }
  if (FROM_AFTER.has(word)) return { bound: 'from', next: at + 1 }
  return { bound: null, next: from }
}

/** The second amount of a range. The first one takes over its multiplier: "80-100k", "1-2 lakh". */
function readRange(tokens: readonly Token[], one: Amount): Amount | null {
  if (!BETWEEN.has(tokens[one.next]?.text ?? '')) return null
  const two = readAmount(tokens, one.next + 1)
  if (!two || areDifferent(one.kind, two.kind)) return null
  if (one.multiplier === null && two.multiplier !== null && one.value < 1_000) one.value *= two.multiplier
  const { bound, next } = readBoundAfter(tokens, two.next)
  return bound === 'to' ? { ...two, next } : two
}

const areDifferent = (one: Amount['kind'], two: Amount['kind']) => one !== null && two !== null && one !== two

/** A number with multiplier and unit, which may carry a genitive: "লাখের", "কেজির". */
function readAmount(tokens: readonly Token[], first: number): Amount | null {
  const isMoney = isCurrency(wordAt(tokens, first))
  const at = isMoney ? first + 1 : first
  const number = readNumber(tokens, at)
  if (number === null) return null
  const multiplier = lookUp(MULTIPLIERS, wordAt(tokens, at + 1)) ?? null
  const next = multiplier === null ? at + 1 : at + 2
  const kilograms = lookUp(WEIGHTS, wordAt(tokens, next))
  if (kilograms !== undefined && !isMoney && multiplier === null)
    return { value: number * kilograms, kind: 'weight', multiplier, next: next + 1 }
  const value = number * (multiplier ?? 1)
  if (isCurrency(wordAt(tokens, next))) return { value, kind: 'price', multiplier, next: next + 1 }
  return { value, kind: isMoney ? 'price' : null, multiplier, next }
}

const wordAt = (tokens: readonly Token[], at: number) => tokens[at]?.text ?? ''
const isCurrency = (word: string) => CURRENCIES.has(word) || CURRENCIES.has(withoutGenitive(word))

function readNumber(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at]
  if (!token) return null
  const before = tokens[at - 1]
  // The digits of a code such as K-101 or br28.
  const isGlued = before !== undefined && before.end === token.start && /^[a-z]$/.test(before.text)
  if (/^\d/.test(token.text)) return isGlued || token.text.length > 12 ? null : Number(token.text.replaceAll(',', ''))
  return lookUp(MULTIPLIERS, wordAt(tokens, at + 1)) === undefined ? null : (NUMBER_WORDS.get(token.text) ?? null)
}

function lookUp(words: ReadonlyMap<string, number>, word: string): number | undefined {
  return words.get(word) ?? words.get(withoutGenitive(word))
}

function withoutGenitive(word: string): string {
  return word.replace(/(ের|র|er|r)$/u, '')
}
