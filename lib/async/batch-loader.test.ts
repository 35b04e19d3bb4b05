import { expect, it } from 'vitest'
import { BatchLoader } from './batch-loader.ts'

const setUp = () => {
  const batches: number[][] = []
  const loader = new BatchLoader<number, string>(async (keys) => {
    batches.push(keys)
    if (keys.includes(13)) throw new Error('thirteen')
    return new Map(keys.filter((key) => key > 0).map((key) => [key, `value ${key}`]))
  })
  return { batches, loader }
}

it('loads the keys of one event-loop turn in one batch without duplicates', async () => {
  const { batches, loader } = setUp()
  const values = await Promise.all([loader.load(1), loader.load(2), loader.load(1), loader.load(-1)])
  expect(values).toEqual(['value 1', 'value 2', 'value 1', undefined])
  expect(batches).toEqual([[1, 2, -1]])
})

it('loads a key again in a later batch', async () => {
  const { batches, loader } = setUp()
  await loader.load(1)
  await loader.load(1)
  const inFlight = loader.load(2)
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([inFlight, loader.load(2)])
  expect(batches).toEqual([[1], [1], [2], [2]])
})

it('rejects every load of a failed batch, and no later one', async () => {
  const { loader } = setUp()
  const failed = await Promise.allSettled([loader.load(13), loader.load(1)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await loader.load(1)).toBe('value 1')
})
