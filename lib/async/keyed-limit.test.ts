import { expect, it } from 'vitest'
import { KeyedLimit } from './keyed-limit.ts'

it('runs two works of a key at a time, those of another key at once, and deletes a key without work', async () => {
  const limit = new KeyedLimit<string>(2)
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const start = (key: string, name: string) =>
    limit.run(key, async () => {
      running.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      if (name === 'a2') throw new Error('failed')
      return name
    })
  const all = Promise.allSettled([start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1')])
  await expect.poll(() => running).toEqual(['a1', 'a2', 'b1'])
  expect([limit.waiting('a'), limit.waiting('b'), limit.waiting('c')]).toEqual([1, 0, 0])
  ends.get('a2')!()
  await expect.poll(() => running).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)!()
  expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual(['a1', 'failed', 'a3', 'b1'])
  expect(limit.size).toBe(0)
})
