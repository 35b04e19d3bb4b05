import { expect, it } from 'vitest'
import { loadOf, type SheetLine } from './delivery-sheet-rules.ts'

const line = (product_id: number, name: string, tag: string | null = null) =>
  ({ product_id, name, tag, quantity_milli: 1000, unit: 'piece' }) as SheetLine

it('sorts the load by animals and names', () => {
  const lines = [line(1, 'Mango'), line(2, 'Red bull', 'K-10'), line(3, 'White bull', 'K-9'), line(4, 'Banana')]
  expect(loadOf([{ lines }]).map(({ name, tag }) => tag ?? name)).toEqual(['K-9', 'K-10', 'Banana', 'Mango'])
})
