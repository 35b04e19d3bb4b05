import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/db.ts'
import { databaseAt, forwardToDatabase } from '#test/forward-database.ts'
import { isDatabaseAway, openDb } from './db.server.ts'

let database: TestDatabase
const sockets: Socket[] = []
const network = createServer((socket) => {
  sockets.push(socket)
  forwardToDatabase(database.url, socket)
})

beforeAll(async () => {
  database = await newDatabase({ template: 'template1' })
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  network.close()
  await database.drop()
})

const openOverNetwork = (options: Parameters<typeof openDb>[1]) =>
  openDb(databaseAt(database.url, (network.address() as AddressInfo).port), options)

/** The connections stay open, and what is sent over them arrives nowhere. */
function dropConnections() {
  for (const socket of sockets) {
    socket.unpipe()
    socket.pause()
  }
}

/** Longer than a statement of 200 ms may be silent. */
const SILENCE_SECONDS = 6

describe.concurrent('a connection that is silent', () => {
  it('ends when the network has lost it, and the pool is of use again', async () => {
    const { pool, close } = openOverNetwork({ max: 2, statementTimeout: 200 })
    await Promise.all([pool.query('select pg_sleep(0.05)'), pool.query('select pg_sleep(0.05)')])
    expect(pool.idleCount).toBe(2)
    dropConnections()
    const lost = await Promise.allSettled([pool.query('select 1'), pool.query('select 1')])
    expect(lost.map((one) => one.status === 'rejected' && isDatabaseAway(one.reason))).toEqual([true, true])
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await close()
  }, 20_000)

  it('stays while the server works on its statement', async () => {
    const { pool, close } = openDb(database.url, { max: 1, statementTimeout: 200 })
    const client = await pool.connect()
    await client.query('set statement_timeout = 0')
    expect((await client.query(`select pg_sleep(${SILENCE_SECONDS}), 1 as one`)).rows).toMatchObject([{ one: 1 }])
    client.release()
    await close()
  }, 20_000)

  it('stays while it has no statement', async () => {
    const { pool, close } = openDb(database.url, { max: 1, min: 1, statementTimeout: 200 })
    const process = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
    const first = await process()
    await new Promise((resolve) => setTimeout(resolve, SILENCE_SECONDS * 1000))
    expect(await process()).toBe(first)
    await close()
  }, 20_000)
})
