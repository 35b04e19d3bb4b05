import { beforeEach, expect, it, vi } from 'vitest'
import { newSale } from '../sale.ts'
import { BegunSaleWriter } from './begun-sales.ts'

const { stored, device } = vi.hoisted(() => ({ stored: new Map<string, { sale: unknown }>(), device: { writes: 0, isFull: false } }))
vi.mock('idb', () => ({
  openDB: async () => ({
    delete: async (_store: string, id: string) => {
      device.writes += 1
      stored.delete(id)
    },
    put: async (_store: string, begun: { id: string; sale: unknown }) => {
      device.writes += 1
      if (device.isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(begun.id, begun)
    },
  }),
}))
vi.mock('./storage-state.ts', () => ({ noteStorageError: () => {} }))

beforeEach(() => {
  stored.clear()
  Object.assign(device, { writes: 0, isFull: false })
})

const sale = newSale('k1')
const settle = () => new Promise((resolve) => setTimeout(resolve))

it('the last state of the sale is stored, and deleted once', async () => {
  const writer = new BegunSaleWriter(7, 'tab')
  stored.set('7.tab', { sale: 'of the browser before' })
  writer.write(null, 1)
  await settle()
  expect([stored.size, device.writes]).toEqual([0, 1])
  writer.write(null, 2)
  await settle()
  expect(device.writes).toBe(1)
  writer.write(sale, 3)
  writer.write({ ...sale, phone: '01712345678' }, 4)
  await settle()
  expect(stored.get('7.tab')).toMatchObject({ at: 4, sale: { key: 'k1', phone: '01712345678' } })
  writer.write(null, 5)
  await settle()
  expect(stored.size).toBe(0)
})

it('a sale that was perhaps stored is deleted', async () => {
  const writer = new BegunSaleWriter(7, 'tab')
  writer.write(null, 1)
  await settle()
  device.isFull = true
  writer.write(sale, 2)
  await settle()
  // A write may fail after it has reached the disk.
  stored.set('7.tab', { sale })
  writer.write(null, 3)
  await settle()
  expect(stored.size).toBe(0)
})
