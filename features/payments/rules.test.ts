import { expect, test } from 'vitest'
import { poisha, taka } from '#lib/format/money.ts'
import { gatewayBounds } from './rules.ts'

test.each([
  [poisha(999), 'below-gateway-minimum'],
  [taka(10), null],
  [taka(500_000), null],
  [poisha(50_000_001), 'above-gateway-maximum'],
])('%d poisha', (amount, outcome) => {
  expect(gatewayBounds(amount)).toBe(outcome)
})
