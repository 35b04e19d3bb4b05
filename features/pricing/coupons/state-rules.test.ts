import { expect, it } from 'vitest'
import { couponState, type CouponState } from './state-rules.ts'

const now = new Date('2026-11-20T06:00:00Z')
const at = (hours: number) => now.getTime() + hours * 3_600_000
const running = {
  active: true,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  uses: 0,
  scope: 'all' as const,
  productIds: [],
  categoryIds: [],
}

it.each<[CouponState, Partial<typeof running> | object]>([
  ['running', {}],
  ['running', { startsAt: at(0), endsAt: at(1), maxUses: 2, uses: 1 }],
  ['not-yet', { startsAt: at(1) }],
  ['ended', { endsAt: at(0) }],
  ['ended', { endsAt: at(-1), maxUses: 1, uses: 1 }],
  ['used-up', { maxUses: 2, uses: 2 }],
  ['no-products', { scope: 'products', categoryIds: [1] }],
  ['no-products', { scope: 'categories', startsAt: at(1) }],
  ['running', { scope: 'categories', categoryIds: [1] }],
  ['running', { scope: 'products', productIds: [1] }],
  ['off', { active: false, endsAt: at(-1) }],
])('%s: %j', (state, terms) => {
  expect(couponState({ ...running, ...terms }, now)).toBe(state)
})
