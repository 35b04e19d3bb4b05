import { expect, it } from 'vitest'
import { RevisionCache } from './revision-cache.ts'

const counted = (revision: () => number | null) => {
  let loads = 0
  const cache = new RevisionCache(revision, () => Promise.resolve(++loads))
  return cache
}

it('loads once per revision, also for concurrent callers', async () => {
  let revision = 1
  const cache = counted(() => revision)
  expect(await Promise.all([cache.get(), cache.get()])).toEqual([1, 1])
  expect(await cache.get()).toBe(1)
  revision = 2
  expect(await cache.get()).toBe(2)
})

it('loads every time while changes cannot be observed', async () => {
  const cache = counted(() => null)
  expect([await cache.get(), await cache.get()]).toEqual([1, 2])
})

it('loads again after invalidate', async () => {
  const cache = counted(() => 1)
  await cache.get()
  cache.invalidate()
  expect(await cache.get()).toBe(2)
})

it('does not reuse a failed load', async () => {
  let fails = true
  const cache = new RevisionCache(
    () => 1,
    () => (fails ? Promise.reject(new Error('down')) : Promise.resolve('up')),
  )
  await expect(cache.get()).rejects.toThrow('down')
  fails = false
  expect(await cache.get()).toBe('up')
})
