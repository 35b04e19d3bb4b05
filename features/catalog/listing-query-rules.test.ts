import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedListing, DEFAULT_LISTING, listingPath, parseListingQuery, type ListingQuery } from './listing-query-rules.ts'

test('an empty query is the default', () => {
  const nothing = {
    minPrice: 0,
    maxPrice: 100_000_000,
    sort: null,
    status: null,
    category: '',
    search: '',
    breed: '',
    sex: '',
    teeth: null,
    coat: '',
    page: 1,
    limit: 20,
  }
  expect(parseListingQuery({})).toEqual(nothing)
  expect(parseListingQuery({ page: '', minPrice: '', sort: '', unknown: 'x' })).toEqual(nothing)
})

test('a query with every filter is read into its types', () => {
  const raw = {
    minPrice: '110000',
    maxPrice: '137500.50',
    sort: 'desc',
    status: 'in-stock',
    category_name: 'beef',
    search: ' লাল গরু ',
    breed: ' Sahiwal cross ',
    sex: 'ox',
    teeth: '০',
    coat: 'red-pied',
    page: '3',
    limit: '1',
  }
  expect(parseListingQuery(raw)).toEqual({
    minPrice: 110_000,
    maxPrice: 137_500.5,
    sort: 'desc',
    status: 'in-stock',
    category: 'beef',
    search: 'লাল গরু',
    breed: 'Sahiwal cross',
    sex: 'ox',
    teeth: 0,
    coat: 'red-pied',
    page: 3,
    limit: 1,
  })
  expect(parseListingQuery({ status: 'all', category: 'Fruits', category_name: 'beef' })).toMatchObject({
    status: null,
    category: 'Fruits',
  })
})

describe('invalid values become defaults', () => {
  test.each([
    ['page', 'abc'],
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', '1e9'],
    ['page', '999999999'],
    ['page', ['1', '2']],
    ['sort', 'up'],
    ['sort', 'price;--'],
    ['sort', 'ASC'],
    ['minPrice', 'abc'],
    ['minPrice', '-1'],
    ['minPrice', 'NaN'],
    ['minPrice', '1e5'],
    ['maxPrice', '100000001'],
    ['maxPrice', '1.001'],
    ['maxPrice', 'Infinity'],
    ['status', 'gone'],
    ['limit', '0'],
    ['limit', '21'],
    ['search', 'x'.repeat(101)],
    ['search', 'a\u0000b'],
    ['search', '\ud800'],
    ['category', { a: 1 }],
    ['breed', 'x'.repeat(101)],
    ['breed', 'a\u0000b'],
    ['sex', 'Bull'],
    ['sex', 'constructor'],
    ['coat', '__proto__'],
    ['coat', ['red']],
    ['teeth', '9'],
    ['teeth', '2.0'],
  ] as const)('%s=%j', (field, value) => {
    expect(parseListingQuery({ [field]: value })).toEqual(DEFAULT_LISTING)
  })

  test('a minimum price above the maximum', () => {
    expect(parseListingQuery({ minPrice: '5', maxPrice: '4', page: '2' })).toEqual({ ...DEFAULT_LISTING, page: 2 })
    expect(parseListingQuery({ minPrice: '5', maxPrice: '5' })).toMatchObject({ minPrice: 5, maxPrice: 5 })
  })

  test('one invalid value does not affect the others', () => {
    expect(parseListingQuery({ page: 'abc', sort: 'asc', minPrice: '10' })).toEqual({ ...DEFAULT_LISTING, sort: 'asc', minPrice: 10 })
  })

  test('keys of the prototype are ignored', () => {
    expect(parseListingQuery(Object.create({ page: '5' }) as Record<string, unknown>)).toEqual(DEFAULT_LISTING)
  })
})

describe('URLs', () => {
  test('contain only chosen values', () => {
    expect(listingPath('/kurbani', DEFAULT_LISTING)).toBe('/kurbani')
    expect(listingPath('/kurbani', { ...DEFAULT_LISTING, page: 2, sort: 'asc', minPrice: 110_000, maxPrice: 137_500 })).toBe(
      '/kurbani?minPrice=110000&maxPrice=137500&sort=asc&page=2',
    )
  })

  test('go back to page one for another filter or order', () => {
    const third: ListingQuery = { ...DEFAULT_LISTING, page: 3 }
    expect(changedListing(third, { sort: 'asc' })).toMatchObject({ sort: 'asc', page: 1 })
    expect(changedListing(third, { page: 4 })).toMatchObject({ page: 4 })
  })

  test('are parsed back to the same query', () => {
    const query = fc.record({
      minPrice: fc.integer({ min: 0, max: 50_000_000 }),
      maxPrice: fc.integer({ min: 50_000_000, max: 100_000_000 }),
      sort: fc.constantFrom(null, 'asc' as const, 'desc' as const),
      status: fc.constantFrom(null, 'in-stock' as const, 'hold' as const),
      category: fc.constantFrom('', 'beef', 'Kurbani Cow'),
      search: fc.constantFrom('', 'লাল গরু', 'a&b=c', '100%'),
      breed: fc.constantFrom('', 'Deshi', 'দেশি', 'A+B&c=d', '২'),
      sex: fc.constantFrom('', 'ox'),
      teeth: fc.constantFrom(null, 0, 8),
      coat: fc.constantFrom('', 'red-pied'),
      page: fc.integer({ min: 1, max: 1000 }),
      limit: fc.integer({ min: 1, max: 20 }),
    })
    fc.assert(
      fc.property(query, (query) => {
        const address = new URL(listingPath('/x', query), 'http://shop.example')
        expect(parseListingQuery(Object.fromEntries(address.searchParams))).toEqual(query)
      }),
    )
  })
})
