import { expect, test } from 'vitest'
import { LruBufferCache } from './lru-buffer-cache.server.ts'

const KIB = 'x'.repeat(1024)

test('makes a piece once, and gives its bytes in UTF-8', () => {
  const kept = new LruBufferCache(10_000)
  let made = 0
  const make = () => `গরু ${++made}`
  expect(kept.of('cow', make).toString()).toBe('গরু 1')
  expect(kept.of('cow', make).toString()).toBe('গরু 1')
  expect(kept.of('goat', make).toString()).toBe('গরু 2')
})

test('stays below its size, and lets go what was not asked for longest', () => {
  const kept = new LruBufferCache(3.5 * 1024)
  const made: string[] = []
  const ask = (key: string) =>
    kept.of(key, () => {
      made.push(key)
      return KIB
    })
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) {
    ask(key)
    expect(kept.size).toBeLessThanOrEqual(3.5 * 1024)
  }
  expect(made).toEqual(['a', 'b', 'c', 'd', 'b'])
})

test('gives what is larger than all it may keep, and keeps nothing then', () => {
  const kept = new LruBufferCache(1000)
  expect(kept.of('large', () => KIB).length).toBe(1024)
  expect(kept.size).toBe(0)
})
