import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGatewayAmount } from '#features/payments/amounts.ts'
import { decimalTaka, type Poisha } from '#lib/format/money.ts'

describe('amounts of gateways', () => {
  it.each([
    ['220.00', 22_000],
    ['69', 6_900],
    ['292.5', 29_250],
    [69, 6_900],
    [' 10.05 ', 1_005],
    ['500000.00', 50_000_000],
  ])('reads %j', (raw, poisha) => expect(parseGatewayAmount(raw)).toBe(poisha))

  it.each(['', '1.234', '-1', '1e3', 'NaN', '১৫০০', '1,500', '0x10', null, undefined, [], {}, Number.NaN, 1e21, '999999999999'])(
    'rejects %j',
    (raw) => expect(parseGatewayAmount(raw)).toBeNull(),
  )

  it('parses the texts it formats', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (n) => parseGatewayAmount(decimalTaka(n as Poisha)) === n))
  })
})
