import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisha, wholeTaka } from '#lib/format/money.ts'
import { roundedRefund, saleRounding } from './rounding-rules.ts'

const NONE = { bkash: poisha(0), bank: poisha(0) }

it.each([
  [12_375, 12_400],
  [8220, 8200],
  [8250, 8300],
  [8249, 8200],
  [8200, 8200],
  [49, 0],
  [50, 100],
  [0, 0],
])('rounds %i poisha of cash to %i', (exact, rounded) => expect(wholeTaka(poisha(exact))).toBe(rounded))

describe('a sale', () => {
  it.each([
    [12_375, NONE, 25],
    [8220, NONE, -20],
    [8220, { bkash: poisha(5020), bank: poisha(0) }, 0],
    [8220, { bkash: poisha(5000), bank: poisha(0) }, -20],
    [8220, { bkash: poisha(0), bank: poisha(8220) }, 0],
    [8220, { bkash: poisha(9000), bank: poisha(0) }, 0],
  ])('of %i poisha, %o by others, is rounded by %i', (total, other, rounding) => expect(saleRounding(poisha(total), other)).toBe(rounding))

  it('pays whole taka of cash, less than a taka away', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (total, bkash) => {
        const rounding = saleRounding(poisha(total), { bkash: poisha(bkash), bank: poisha(0) })
        const cash = Math.max(0, total - bkash)
        expect((cash + rounding) % 100).toBe(total > bkash ? 0 : cash % 100)
        expect(Math.abs(rounding)).toBeLessThanOrEqual(50)
      }),
    )
  })
})

describe('refunds', () => {
  it('of two halves give the cash of one', () => {
    const first = roundedRefund(poisha(4160), poisha(0))
    expect(first).toBe(4200)
    expect(roundedRefund(poisha(4160), poisha(4160 - first))).toBe(4100)
  })

  it('in any parts give the same whole taka, never a negative sum', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 12 }), (parts) => {
        let [exact, given] = [0, 0]
        for (const part of parts) {
          const cash = roundedRefund(poisha(part), poisha(exact - given))
          expect(cash).toBeGreaterThanOrEqual(0)
          expect(Math.abs(cash - part)).toBeLessThan(100)
          exact += part
          given += cash
        }
        expect(given).toBe(wholeTaka(poisha(exact)))
      }),
    )
  })
})
