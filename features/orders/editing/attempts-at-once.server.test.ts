import { expect, it } from 'vitest'
import { testDb, untilLockWait } from '#test/db.ts'
import { findOrderByIdempotencyKey, findOrderOfAttempts } from './insert-order.server.ts'

const { db } = await testDb()

it('attempts of a form that are named by later ones wait for each other in one order', async () => {
  const attempt = (key: string, earlier: string[]) =>
    db.transaction().execute(async (tx) => {
      await findOrderByIdempotencyKey(tx, { key, hash: '' }, earlier)
      return findOrderOfAttempts(tx, key, earlier)
    })
  const later = await db.transaction().execute(async (tx) => {
    await findOrderByIdempotencyKey(tx, { key: 'attempt-1', hash: '' })
    const fourth = attempt('attempt-4', ['attempt-1', 'attempt-2', 'attempt-3'])
    await untilLockWait(db, 1)
    const second = attempt('attempt-2', ['attempt-1'])
    await untilLockWait(db, 2)
    return [fourth, second].map((one) => one.catch(String))
  })
  // A deadlock would end one of them.
  expect(await Promise.all(later)).toEqual([null, null])
})
