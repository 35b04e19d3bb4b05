import { expect, it } from 'vitest'
import { loadOf, type SheetLine } from './delivery-sheet-rules.ts'

const line = (product_id: number, name: string, tag: string | null = null) =>
  ({ product_id, name, tag, quantity_milli: 1000, unit: 'piece' }) as SheetLine

it('sorts the load by animals and names', () => {
  const lines = [line(1, 'Mango'), line(2, 'Red bull', 'K-10'), line(3, 'White bull', 'K-9'), line(4, 'Banana')]
  expect(loadOf([{ lines }]).map(({ name, tag }) => tag ?? name)).toEqual(['K-9', 'K-10', 'Banana', 'Mango'])
})

it('adds up no pieces to kilograms, where the unit of a product has changed since an order', () => {
  const kilograms = { ...line(1, 'Jackfruit'), unit: 'kg' } as SheetLine
  const load = loadOf([{ lines: [kilograms] }, { lines: [line(1, 'Jackfruit')] }, { lines: [line(1, 'Jackfruit')] }])
  expect(load.map(({ quantity_milli, unit }) => [quantity_milli, unit])).toEqual([
    [1000, 'kg'],
    [2000, 'piece'],
  ])
})
