import { expect, it } from 'vitest'
import { newProductBody } from '#features/catalog/products/forms.ts'
import { blankValues, bodyOf } from './form-values.ts'

const choices = { categories: [], seasons: ['2026', '2027'], season: '2026', scales: [], today: '2026-11-20', seasonStart: '2027-05-12' }

it.each([
  ['animal', 10_000, '10000'],
  ['animal', 0, ''],
  ['goods', 10_000, ''],
] as const)('the form of a new %s begins, at %i in the settings, with the advance %j', (kind, advance, minimum) => {
  expect(blankValues(kind, { ...choices, advance }).advance_minimum).toBe(minimum)
})

it.each([
  ['animal', 4, '2026'],
  ['animal', 3, ''],
  ['goods', 4, ''],
] as const)('a new %s whose first category is %i begins with the season %j, not with the last one that has rates', (kind, id, season) => {
  const category = { id, key: id === 4 ? ('kurbani' as const) : ('beef' as const), name: 'Cattle', isCattle: true }
  expect(blankValues(kind, { ...choices, categories: [category], advance: 0 }).season).toBe(season)
})

it.each([
  ['animal', 4, '2027-05-12'],
  ['animal', 3, ''],
  ['goods', 4, ''],
] as const)('a new %s whose first category is %i begins with the delivery date %j', (kind, id, day) => {
  const category = { id, key: id === 4 ? ('kurbani' as const) : ('beef' as const), name: 'Cattle', isCattle: true }
  expect(blankValues(kind, { ...choices, categories: [category], advance: 0 }).delivery_on).toBe(day)
})

it('an animal of Kurbani has no delivery date of its own once the season has begun', () => {
  const categories = [{ id: 4, key: 'kurbani' as const, name: 'Kurbani', isCattle: true }]
  expect(blankValues('animal', { ...choices, categories, seasonStart: null, advance: 0 }).delivery_on).toBe('')
})

it('what was typed for a discount is no error once there is no discount', () => {
  const values = { ...blankValues('goods', { ...choices, advance: 0 }), discount: '10%' as unknown as number }
  const fields = (discount_kind: 'none' | 'percentage') =>
    newProductBody.safeParse(bodyOf({ ...values, discount_kind })).error?.issues.map(({ path }) => path[0]) ?? []
  expect(fields('percentage')).toContain('discount')
  expect(fields('none')).not.toContain('discount')
})

it('a price that was typed before the animal was sold by weight is no error', () => {
  const values = { ...blankValues('animal', { ...choices, advance: 0 }), price: 'to be weighed' }
  const fields = (sold_by_live_weight: boolean) =>
    newProductBody.safeParse(bodyOf({ ...values, sold_by_live_weight })).error?.issues.map(({ path }) => path[0]) ?? []
  expect(fields(false)).toContain('price')
  expect(fields(true)).not.toContain('price')
})
