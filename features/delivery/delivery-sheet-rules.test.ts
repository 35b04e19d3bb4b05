import { expect, it } from 'vitest'
import { loadOf, type SheetLine } from './delivery-sheet-rules.ts'

const line = (product_id: number, name: string, tag: string | null = null) =>
  ({ product_id, name, tag, quantity_milli: 1000, unit: 'piece' }) as SheetLine

it('sorts the load by animals and names, alike on the server and in browsers of any language', () => {
  // Sorted for English কাজু comes first, for Bengali কাঁঠাল.
  const lines = [line(1, 'কাজু'), line(2, 'কাঁঠাল'), line(3, 'Red bull', 'K-10'), line(4, 'White bull', 'K-9'), line(5, 'কলা')]
  expect(loadOf([{ lines }]).map(({ name, tag }) => tag ?? name)).toEqual(['K-9', 'K-10', 'কলা', 'কাঁঠাল', 'কাজু'])
})
