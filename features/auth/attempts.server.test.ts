import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { countAttempts, countChain, uncountAttempts, uncountChain } from './attempts.server.ts'
import { codesSent } from './limits.server.ts'

const { db } = await testDb()
beforeEach(() => sql`truncate attempt_counts`.execute(db))

// At midnight windows of every length begin together.
const now = new Date('2026-11-20T00:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const chain = (who: string) => [
  { key: `narrow:${who}`, limit: { max: 3, windowSeconds: 900 } },
  { key: `narrow:${who}`, limit: { max: 5, windowSeconds: 86_400 } },
  { key: 'wide', limit: { max: 7, windowSeconds: 86_400 } },
]
const counts = async () => {
  const { rows } = await sql<{ key: string; count: number }>`select key, count from attempt_counts order by key`.execute(db)
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}
const tries = async (who: string, times: number, at = now) => {
  const refused = []
  for (let count = 0; count < times; count++) refused.push(await countChain(db, chain(who), at))
  return refused
}

it('lets a try go on until one of its counters is full, and says which and how long', async () => {
  expect(await tries('a', 4)).toEqual([null, null, null, { key: 'narrow:a', retryAfter: 900 }])
  expect(await tries('a', 3, later(1000))).toEqual([null, null, { key: 'narrow:a', retryAfter: 85_400 }])
  expect(await tries('b', 3, later(1000))).toEqual([null, null, { key: 'wide', retryAfter: 85_400 }])
})

it('a rejected attempt uses up nothing of the other counters', async () => {
  await tries('a', 50)
  expect(await counts()).toEqual({ 'narrow:a 900': 3, 'narrow:a 86400': 3, 'wide 86400': 3 })
  await tries('b', 3)
  await tries('c', 10)
  // The wide one had room for one of these.
  expect(await counts()).toMatchObject({ 'narrow:c 900': 1, 'narrow:c 86400': 1, 'wide 86400': 7 })
})

it('of fifty concurrent attempts as many continue as allowed', async () => {
  const refused = await Promise.all(Array.from({ length: 50 }, () => countChain(db, chain('a'), now)))
  expect(refused.filter((one) => one === null)).toHaveLength(3)
  expect(await counts()).toMatchObject({ 'narrow:a 86400': 3, 'wide 86400': 3 })
})

it('a number gets ten codes a day, of which one network asks for six', async () => {
  const sent = async (ip: string) => {
    let count = 0
    for (let hour = 1; hour <= 20; hour++) if ((await countChain(db, codesSent('01912345678', ip), later(hour * 3600))) === null) count += 1
    return count
  }
  expect([await sent('203.0.113.1'), await sent('198.51.100.1'), await sent('192.0.2.1')]).toEqual([6, 4, 0])
})

it('takes a try back under every key', async () => {
  await tries('a', 3)
  await uncountChain(db, chain('a'), now)
  expect(await counts()).toEqual({ 'narrow:a 900': 2, 'narrow:a 86400': 2, 'wide 86400': 2 })
  expect(await countChain(db, chain('a'), now)).toBeNull()
})

it('many concurrent attempts, some uncounted, do not deadlock', async () => {
  const tried = Array.from({ length: 400 }, async (_, index) => {
    const mine = chain(String(index % 3))
    const refused = await countChain(db, mine, now)
    if (refused === null) await uncountChain(db, mine, now)
  })
  await expect(Promise.all(tried)).resolves.toHaveLength(400)
  expect(await counts()).toMatchObject({ 'wide 86400': 0 })
})

it('counts one key in windows of several lengths, without a chain; a rejected attempt counts under none', async () => {
  const counted = chain('a').slice(0, 2)
  const waits = []
  for (let count = 0; count < 4; count++) waits.push(await countAttempts(db, counted, now))
  expect(waits).toEqual([0, 0, 0, 900])
  expect(await counts()).toEqual({ 'narrow:a 900': 3, 'narrow:a 86400': 3 })
  await uncountAttempts(db, counted, now)
  expect(await counts()).toEqual({ 'narrow:a 900': 2, 'narrow:a 86400': 2 })
})
