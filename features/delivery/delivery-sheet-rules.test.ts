import { expect, it } from 'vitest'
import { loadOf, type SheetLine, type SheetOrder, stopsOf } from './delivery-sheet-rules.ts'

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

it('two areas of one name are two stops', () => {
  const order = (id: number, area_id: number | null) => ({ id, area_id, area: 'Kaliganj', is_collection: false, due: 10 }) as SheetOrder
  expect(stopsOf([order(1, 3), order(2, 4), order(3, 3)]).map(({ orders, due }) => [orders.map(({ id }) => id), due])).toEqual([
    [[1, 3], 20],
    [[2], 10],
  ])
})
