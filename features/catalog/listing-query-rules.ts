// The query of a product list in its URL.
//
// Invalid values become defaults, so that every URL shows a list. Another filter or order goes back to page one. The URL contains all
// chosen values.
import { latinDigits } from '#lib/format/numbers.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import { MAX_PRICE_TAKA } from './limits.ts'
import { PRODUCT_STATUSES } from './rules.ts'
import { COAT_KEYS, SEX_KEYS } from './trait-keys.ts'
import type { ProductStatus } from './types.ts'

/** Prices in taka. `sort` null is the order by availability; `status` null is all. */
export interface ListingQuery {
  minPrice: number
  maxPrice: number
  sort: 'asc' | 'desc' | null
  status: ProductStatus | null
  category: string
  search: string
  /** Traits of animals: the English breed, keys of sex and coat; empty or null: any. */
  breed: string
  sex: string
  teeth: number | null
  coat: string
  page: number
  limit: number
}

export const PAGE_SIZE = 20
const MAX_PAGE = 100_000
const MAX_TEXT_LENGTH = 100

export const DEFAULT_LISTING: Readonly<ListingQuery> = {
  minPrice: 0,
  maxPrice: MAX_PRICE_TAKA,
  sort: null,
  status: null,
  category: '',
  search: '',
  breed: '',
  sex: '',
  teeth: null,
  coat: '',
  page: 1,
  limit: PAGE_SIZE,
}

export const ALL_PRICES = { minPrice: DEFAULT_LISTING.minPrice, maxPrice: DEFAULT_LISTING.maxPrice }

type ListingField = keyof ListingQuery

/** Parsers of single values; undefined for an invalid value. */
const READERS: { [Field in ListingField]: (text: string) => ListingQuery[Field] | undefined } = {
  minPrice: readPrice,
  maxPrice: readPrice,
  sort: (text) => (text === 'asc' || text === 'desc' ? text : undefined),
  status: (text) => (text === 'all' ? null : PRODUCT_STATUSES.find((one) => one === text)),
  category: readText,
  search: readText,
  breed: readText,
  sex: (text) => SEX_KEYS.find((one) => one === text),
  teeth: (text) => (/^[0-8]$/.test(text) ? Number(text) : undefined),
  coat: (text) => COAT_KEYS.find((one) => one === text),
  page: (text) => readWhole(text, MAX_PAGE),
  limit: (text) => readWhole(text, PAGE_SIZE),
}

function readPrice(text: string): number | undefined {
  const price = /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Number(text) : NaN
  return price <= MAX_PRICE_TAKA ? price : undefined
}

function readWhole(text: string, max: number): number | undefined {
  const whole = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return whole >= 1 && whole <= max ? whole : undefined
}

function readText(text: string): string | undefined {
  return text.length <= MAX_TEXT_LENGTH && isStorable(text) ? sanitizeText(text) : undefined
}

/**
 * Parses the query of a list. Empty values count as missing, `category_name` is an alias of `category`, unknown names are ignored, and
 * invalid values become defaults.
 */
export function parseListingQuery(raw: Readonly<Record<string, unknown>>): ListingQuery {
  const query: ListingQuery = { ...DEFAULT_LISTING }
  for (const field of Object.keys(READERS) as ListingField[]) readInto(query, field, rawValue(raw, field))
  if (query.minPrice > query.maxPrice) {
    query.minPrice = DEFAULT_LISTING.minPrice
    query.maxPrice = DEFAULT_LISTING.maxPrice
  }
  return query
}

function rawValue(raw: Readonly<Record<string, unknown>>, field: ListingField): unknown {
  if (Object.hasOwn(raw, field)) return raw[field]
  return field === 'category' && Object.hasOwn(raw, 'category_name') ? raw['category_name'] : undefined
}

function readInto<Field extends ListingField>(query: ListingQuery, field: Field, value: unknown): void {
  if (typeof value !== 'string' || value === '') return
  const read = READERS[field](field === 'search' || field === 'breed' ? value : latinDigits(value.trim()))
  if (read !== undefined) query[field] = read
}

/** The query after a change: on page one, unless the page is changed. */
export function changedListing(query: ListingQuery, change: Partial<ListingQuery>): ListingQuery {
  return { ...query, page: 1, ...change }
}

/** The chosen values as they stand in a URL: those that differ from the default, always in the same order. */
export function chosenValues(query: ListingQuery): [ListingField, string][] {
  const chosen = (Object.keys(DEFAULT_LISTING) as ListingField[]).filter((field) => query[field] !== DEFAULT_LISTING[field])
  return chosen.map((field) => [field, String(query[field] ?? '')])
}

/** The URL of a list. */
export function listingPath(path: string, query: ListingQuery): string {
  const text = new URLSearchParams(chosenValues(query)).toString()
  return text === '' ? path : `${path}?${text}`
}
