import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endWithdrawal, withdraw, withdrawnKeys } from './withdrawn-sales.ts'

// What the page says to itself and to the service worker about sales that it took back.

let marks: Set<string>
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

beforeEach(() => {
  marks = new Set()
  const cache = {
    put: async (path: string) => {
      await later()
      marks.add(path)
    },
    delete: async (path: string) => marks.delete(path),
  }
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('localStorage', undefined)
})
afterEach(() => vi.unstubAllGlobals())

it('marks a sale for the worker until it is deleted or placed again', async () => {
  withdraw('a')
  withdraw('b')
  expect([...withdrawnKeys()]).toEqual(['a', 'b'])
  await expect.poll(() => [...marks]).toEqual(['/withdrawn-sales/a', '/withdrawn-sales/b'])
  endWithdrawal('a')
  expect([...withdrawnKeys()]).toEqual(['b'])
  await expect.poll(() => [...marks]).toEqual(['/withdrawn-sales/b'])
  endWithdrawal('b')
})

it('leaves no mark of a sale that is deleted at once', async () => {
  withdraw('a')
  endWithdrawal('a')
  withdraw('b')
  await expect.poll(() => [...marks]).toEqual(['/withdrawn-sales/b'])
  endWithdrawal('b')
})

it('does without caches', () => {
  vi.stubGlobal('caches', undefined)
  withdraw('a')
  expect([...withdrawnKeys()]).toEqual(['a'])
  endWithdrawal('a')
})
