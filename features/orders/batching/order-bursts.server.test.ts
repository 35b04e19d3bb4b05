import { expect, it } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { type BatchEntryResult, OrderBatcher, type NewOrderRow } from './order-batcher.server.ts'

// Which orders share a list, and when it is sent: without a database, which answers when the test says so.

interface Sent {
  keys: string[]
  answer(): void
}

function openRush() {
  const happened: string[] = []
  const lists: Sent[] = []
  const rush = new OrderBatcher(null as unknown as Db, {
    atOnce(_db, wanted) {
      const keys = wanted.map((one) => one.idempotency_key)
      happened.push(`sent ${keys.join(' ')}`)
      const { promise, resolve } = Promise.withResolvers<BatchEntryResult[]>()
      lists.push({ keys, answer: () => resolve(keys.map((_key, index) => ({ order_id: index + 1 }))) })
      return promise
    },
    patiently: () => Promise.reject(new Error('nobody is patient here')),
    ofOne: (wanted) => [wanted.idempotency_key],
  })
  const add = async (key: string) => {
    await rush.add({ idempotency_key: key, lines: [{ product_id: Number(key) }], coupon: null } as NewOrderRow)
    happened.push(`answered ${key}`)
  }
  return { happened, lists, add }
}

it('the next list is sent before the answers of the last are worked through', async () => {
  const { happened, lists, add } = openRush()
  const all = Promise.all(['1', '2', '3'].map(add))
  lists[0]?.answer()
  await expect.poll(() => lists.length).toBe(2)
  lists[1]?.answer()
  await all
  expect(happened).toEqual(['sent 1', 'sent 2 3', 'answered 1', 'answered 2', 'answered 3'])
})

it.each([
  [7, [1, 6]],
  [16, [1, 8, 7]],
  [25, [1, 12, 8, 4]],
  [60, [1, 16, 16, 14, 8, 5]],
])('of %i orders at one moment share lists: %j', async (count, sizes) => {
  const { lists, add } = openRush()
  const all = Promise.all(Array.from({ length: count }, (_, index) => add(String(index + 1))))
  for (let list = 0; list < sizes.length; list++) {
    await expect.poll(() => lists.length).toBe(list + 1)
    lists[list]?.answer()
  }
  await all
  expect(lists.map(({ keys }) => keys.length)).toEqual(sizes)
  expect(lists.flatMap(({ keys }) => keys)).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)))
})
