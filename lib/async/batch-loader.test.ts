import { expect, it } from 'vitest'
import { BatchLoader } from './batch-loader.ts'

const counting = () => {
  const asked: number[][] = []
  const together = new BatchLoader<number, string>(async (keys) => {
    asked.push(keys)
    if (keys.includes(13)) throw new Error('thirteen')
    return new Map(keys.filter((key) => key > 0).map((key) => [key, `answer ${key}`]))
  })
  return { asked, together }
}

it('asks once for all who come at one moment, each question once', async () => {
  const { asked, together } = counting()
  const answers = await Promise.all([together.find(1), together.find(2), together.find(1), together.find(-1)])
  expect(answers).toEqual(['answer 1', 'answer 2', 'answer 1', undefined])
  expect(asked).toEqual([[1, 2, -1]])
})

it('whoever comes once it has been asked is answered anew', async () => {
  const { asked, together } = counting()
  await together.find(1)
  await together.find(1)
  const under = together.find(2)
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([under, together.find(2)])
  expect(asked).toEqual([[1], [1], [2], [2]])
})

it('what fails fails for those who asked, and for nobody later', async () => {
  const { together } = counting()
  const failed = await Promise.allSettled([together.find(13), together.find(1)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await together.find(1)).toBe('answer 1')
})
