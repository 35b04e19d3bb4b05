import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LONG_TIMEOUTS } from '#test/clone.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { databaseAt, forwardToDatabase } from '#test/forward-database.ts'
import { isDatabaseAway, openDb } from './db.server.ts'

const { db } = await testDb()
const database = await newDatabase({ template: 'template1' })
afterAll(() => database.drop())
const name = new URL(database.url).pathname.slice(1)
await sql`alter database ${sql.id(name)} connection limit 3`.execute(db)
const open = (onConnectionLimit = () => {}) => openDb(database.url, { max: 8, ...LONG_TIMEOUTS, onConnectionLimit })

it('requests wait for the connections that the server allows, and the owner hears of it once', async () => {
  const warn = vi.fn<() => void>()
  const { db: limited, pool, close } = open(warn)
  try {
    const query = () => sql<{ one: number }>`select 1 as one from pg_sleep(0.02)`.execute(limited)
    const transaction = () => limited.transaction().execute((tx) => sql`select pg_sleep(0.02)`.execute(tx))
    const direct = () => pool.query('select 1 from pg_sleep(0.02)')
    await Promise.all(Array.from({ length: 10 }, () => [query(), transaction(), direct()]).flat())
    expect([pool.totalCount, pool.waitingCount, warn.mock.calls.length]).toEqual([3, 0, 1])
  } finally {
    await close()
  }
})

it('a pool without a connection fails like one of a database that is away', async () => {
  const first = open()
  const second = open()
  const clients = await Promise.all([1, 2, 3].map(() => first.pool.connect()))
  const error = await second.pool.query('select 1').catch((caught: unknown) => caught)
  expect(isDatabaseAway(error)).toBe(true)
  for (const client of clients) client.release()
  await first.pool.end()
  // The server ends a session a moment after its client.
  for (let tries = 0; ; tries++) {
    const answer = await second.pool.query('select 1 as one').catch((caught: unknown) => caught)
    if (!(answer instanceof Error) || tries > 100) {
      expect(answer).toMatchObject({ rows: [{ one: 1 }] })
      break
    }
    await sleep(20)
  }
  await second.pool.end()
})

describe('a server that opens further connections too slowly', () => {
  /** A pool whose first connection opens, and no other one. */
  async function openSlow() {
    const sockets: Socket[] = []
    const network = createServer((socket) => {
      if (sockets.push(socket) === 1) forwardToDatabase(database.url, socket)
    })
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
    const opened = openDb(databaseAt(database.url, (network.address() as AddressInfo).port), { ...LONG_TIMEOUTS, connectTimeout: 300 })
    onTestFinished(async () => {
      await opened.close()
      for (const socket of sockets) socket.destroy()
      network.close()
    })
    return opened
  }

  it('a request takes a connection that has become free meanwhile', async () => {
    const { db: slow, pool } = await openSlow()
    const first = await pool.connect()
    const waiting = Promise.all([pool.query('select 1 as one'), sql<{ one: number }>`select 1 as one`.execute(slow)])
    first.release()
    for (const { rows } of await waiting) expect(rows).toEqual([{ one: 1 }])
  })

  it('one that finds none fails as if the database were away', async () => {
    const { pool } = await openSlow()
    const first = await pool.connect()
    const error = await pool.query('select 1').catch((caught: unknown) => caught)
    expect(isDatabaseAway(error)).toBe(true)
    first.release()
  })
})
