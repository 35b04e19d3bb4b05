import { describe, expect, it } from 'vitest'
import { SharedReadCache } from './shared-read-cache.ts'

const [AMINA, RAHIM] = [1, 2]

function setUp() {
  const time = { now: 1000 }
  const cache = new SharedReadCache(2000, () => time.now)
  const reads: ((result: string) => void)[] = []
  const get = (user: number, name = 'tasks') => cache.get(name, user, () => new Promise<string>((resolve) => reads.push(resolve)))
  return { time, cache, reads, get }
}

describe('SharedReadCache', () => {
  it('shares a read in flight', async () => {
    const { reads, get, time } = setUp()
    const first = get(AMINA)
    time.now += 5000
    const second = get(RAHIM)
    expect(reads.length).toBe(1)
    reads[0]!('seven')
    expect(await Promise.all([first, second])).toEqual(['seven', 'seven'])
  })

  it('reads again after the TTL, and for another name', async () => {
    const { reads, get, time } = setUp()
    const first = get(AMINA)
    void get(AMINA, 'low')
    expect(reads.length).toBe(2)
    reads[0]!('seven')
    await first
    time.now += 1999
    expect(await get(RAHIM)).toBe('seven')
    time.now += 1
    void get(RAHIM)
    expect(reads.length).toBe(3)
  })

  it('reads again for a user who wrote after the read started, also while it is in flight; others get the cached result', async () => {
    const { reads, get, time, cache } = setUp()
    const first = get(RAHIM)
    time.now += 10
    cache.markWrite(AMINA)
    time.now += 10
    const hers = get(AMINA)
    expect(reads.length).toBe(2)
    reads[0]!('seven')
    reads[1]!('six')
    expect(await Promise.all([first, hers])).toEqual(['seven', 'six'])
    time.now += 10
    expect(await get(AMINA)).toBe('six')
    expect(await get(RAHIM)).toBe('six')
    expect(reads.length).toBe(2)
  })

  it('treats a write in the same millisecond as later than the read', async () => {
    const { reads, get, cache } = setUp()
    void get(RAHIM)
    cache.markWrite(AMINA)
    void get(AMINA)
    expect(reads.length).toBe(2)
  })

  it('remembers a write while a read from before it is cached', async () => {
    const { reads, get, time, cache } = setUp()
    void get(RAHIM)
    time.now += 10
    cache.markWrite(AMINA)
    time.now += 60_000
    cache.markWrite(RAHIM)
    void get(AMINA)
    expect(reads.length).toBe(2)
  })

  it('remembers no write from before the cached reads, also when nothing is read any more', async () => {
    const { reads, get, time, cache } = setUp()
    const first = get(RAHIM)
    reads[0]!('seven')
    await first
    for (const user of [1, 2, 3]) {
      time.now += 3000
      cache.markWrite(user)
    }
    expect(cache.writerCount).toBe(1)
  })

  it('does not cache a failed read', async () => {
    const { cache } = setUp()
    await expect(cache.get('tasks', AMINA, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await cache.get('tasks', AMINA, async () => 'seven')).toBe('seven')
  })
})
