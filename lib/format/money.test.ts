import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTaka, formatTakaExact, parseAmount, poisha, poishaToTaka, readTaka, share, taka, takaToPoisha } from './money.ts'

describe('taka and poisha', () => {
  test.each([
    [0, 0],
    [150.5, 15050],
    [0.1, 10],
    [1.15, 115],
    [78000, 7_800_000],
    [99999999.99, 9_999_999_999],
    [-5, -500],
  ])('%d taka', (amount, found) => {
    expect(takaToPoisha(amount)).toBe(found)
    expect(poishaToTaka(poisha(found))).toBe(amount)
  })

  test.each([NaN, Infinity, -Infinity, 1.005, 0.001, 1e300, Number.MAX_SAFE_INTEGER])('rejects %d', (amount) => {
    expect(() => takaToPoisha(amount)).toThrow(RangeError)
    expect(readTaka(amount)).toBeNull()
  })

  test.each(['5', null, undefined, true, [5], {}])('%j is no amount', (value) => {
    expect(readTaka(value)).toBeNull()
  })

  test('every amount of poisha is unchanged by JSON', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (amount) => {
        expect(takaToPoisha(JSON.parse(JSON.stringify(amount / 100)))).toBe(amount)
      }),
    )
  })
})

test('a share is exact and rounds half up', () => {
  expect(share(5, 1, 2)).toBe(3)
  expect(share(25, 1, 10)).toBe(3)
  expect(share(24, 1, 10)).toBe(2)
  const small = fc.integer({ min: 0, max: 1e10 })
  fc.assert(
    fc.property(
      small,
      fc.integer({ min: 0, max: 10_000 }),
      fc.constantFrom(2, 100, 1000, 10_000, 1_000_000),
      (amount, numerator, denominator) => {
        const exact = (2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator))
        expect(BigInt(share(amount, numerator, denominator))).toBe(exact)
      },
    ),
  )
})

describe('typed amounts', () => {
  test.each([
    ['1500', 150_000],
    ['1,500', 150_000],
    ['1,38,500', 13_850_000],
    ['138,500', 13_850_000],
    ['১৫০০', 150_000],
    ['১,৩৮,৫০০', 13_850_000],
    ['১৫০০.৫', 150_050],
    ['1500.50', 150_050],
    ['0.05', 5],
    [' 1500 ', 150_000],
    ['৳1,500', 150_000],
    ['৳ ১,৫০০', 150_000],
    ['৳\u00a01,500', 150_000],
    ['-5', -500],
    ['−৫', -500],
    ['007', 700],
    ['10000000000000', 1e15],
  ])('reads %s', (typed, amount) => {
    expect(parseAmount(typed)).toBe(amount)
  })

  test.each([
    '',
    ' ',
    'abc',
    '1e9',
    '1.505',
    '1,5',
    '1,,500',
    ',500',
    '1500,',
    '1.',
    '.5',
    'NaN',
    'Infinity',
    '0x10',
    '1 500',
    '--5',
    '1500 taka',
    '9'.repeat(20),
    '1'.repeat(41),
    '10000000000000.01',
    '90071992547409',
  ])('rejects %j', (typed) => {
    expect(parseAmount(typed)).toBeNull()
  })

  test('reads formatted amounts back, in both languages', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom('en' as const, 'bn' as const), (amount, lang) => {
        expect(parseAmount(formatTaka(poisha(amount), lang))).toBe(amount)
      }),
    )
  })
})

test.each([
  [taka(78_000), '৳78,000', '৳৭৮,০০০'],
  [taka(138_500), '৳1,38,500', '৳১,৩৮,৫০০'],
  [poisha(15_050), '৳150.50', '৳১৫০.৫০'],
  [poisha(5), '৳0.05', '৳০.০৫'],
  [taka(-2500), '−৳2,500', '−৳২,৫০০'],
  [poisha(-5), '−৳0.05', '−৳০.০৫'],
  [taka(0), '৳0', '৳০'],
  [poisha(99_999), '৳999.99', '৳৯৯৯.৯৯'],
])('formats %d poisha', (amount, en, bn) => {
  expect(formatTaka(amount, 'en')).toBe(en)
  expect(formatTaka(amount, 'bn')).toBe(bn)
})

test.each([
  [taka(138_500), '৳1,38,500.00', '৳১,৩৮,৫০০.০০'],
  [poisha(15_050), '৳150.50', '৳১৫০.৫০'],
  [taka(0), '৳0.00', '৳০.০০'],
])('formats %d poisha with two decimals', (amount, en, bn) => {
  expect([formatTakaExact(amount, 'en'), formatTakaExact(amount, 'bn')]).toEqual([en, bn])
})
