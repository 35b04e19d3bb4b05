import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runEach } from './run-each.server.ts'

async function run(errors: Record<number, Error>) {
  const done: number[] = []
  const running = runEach([1, 2, 3], async (item) => {
    if (errors[item]) throw errors[item]
    done.push(item)
  })
  const error: unknown = await running.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return { done, error }
}

it('runs the others after a failure, and throws the first', async () => {
  const [first, second] = [new Error('first'), new Error('second')]
  expect(await run({})).toEqual({ done: [1, 2, 3], error: null })
  expect(await run({ 1: first, 3: second })).toEqual({ done: [2], error: first })
})

it('ends when the database is away', async () => {
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(await run({ 2: away })).toEqual({ done: [1], error: away })
})

it('runs as many at once as told, each item once', async () => {
  let running = 0
  const most: number[] = []
  const done: number[] = []
  await runEach(
    [1, 2, 3, 4, 5, 6, 7],
    async (item) => {
      most.push(++running)
      await sleep(5)
      running--
      done.push(item)
    },
    3,
  )
  expect(Math.max(...most)).toBe(3)
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
})
