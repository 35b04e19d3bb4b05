import { expect, it } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { OrderBatcher } from './order-batcher.server.ts'
import type { BatchEntryResult, NewOrderRow } from './types.ts'

// The contents and the timing of batches, without a database: the test resolves each batch.

interface Sent {
  keys: string[]
  answer(): void
}

function openBatcher() {
  const happened: string[] = []
  const batches: Sent[] = []
  const batcher = new OrderBatcher(null as unknown as Db, {
    writeBatch(_db, orders) {
      const keys = orders.map((one) => one.idempotency_key)
      happened.push(`sent ${keys.join(' ')}`)
      const { promise, resolve } = Promise.withResolvers<BatchEntryResult[]>()
      batches.push({ keys, answer: () => resolve(keys.map((_key, index) => ({ order_id: index + 1 }))) })
      return promise
    },
    writeBlocking: () => Promise.reject(new Error('no order blocks here')),
    conflictKeys: (order) => [order.idempotency_key],
  })
  const add = async (key: string) => {
    await batcher.add({ idempotency_key: key, lines: [{ product_id: Number(key) }], coupon: null } as NewOrderRow)
    happened.push(`answered ${key}`)
  }
  return { happened, batches, add }
}

it('the next batch is sent before the replies of the last one run', async () => {
  const { happened, batches, add } = openBatcher()
  const all = Promise.all(['1', '2', '3'].map(add))
  batches[0]?.answer()
  await expect.poll(() => batches.length).toBe(2)
  batches[1]?.answer()
  await all
  expect(happened).toEqual(['sent 1', 'sent 2 3', 'answered 1', 'answered 2', 'answered 3'])
})

it.each([
  [7, [1, 6]],
  [16, [1, 8, 7]],
  [25, [1, 12, 8, 4]],
  [60, [1, 16, 16, 14, 8, 5]],
])('%i concurrent orders are split into batches: %j', async (count, sizes) => {
  const { batches, add } = openBatcher()
  const all = Promise.all(Array.from({ length: count }, (_, index) => add(String(index + 1))))
  for (let index = 0; index < sizes.length; index++) {
    await expect.poll(() => batches.length).toBe(index + 1)
    batches[index]?.answer()
  }
  await all
  expect(batches.map(({ keys }) => keys.length)).toEqual(sizes)
  expect(batches.flatMap(({ keys }) => keys)).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)))
})
