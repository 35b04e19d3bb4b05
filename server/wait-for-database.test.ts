import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openDb } from '#lib/db/db.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { testDb } from '#test/db.ts'
import { databaseAt, forwardToDatabase } from '#test/forward-database.ts'
import { freePort } from '#test/free-port.ts'
import { retryWhileAway, waitForDatabase } from './wait-for-database.ts'

const { url } = await testDb()

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(port: number, answer: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => answer(socket.on('error', () => {})))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
}

const at = (port: number) => databaseAt(url, port)

/** The error message of a server that is starting up. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

it('goes on at once when the database is there', async () => {
  const said: string[] = []
  await waitForDatabase(url, (line) => said.push(line))
  expect(said).toEqual([])
})

it('waits for a database that does not listen yet, then starts up, then answers; says so once', async () => {
  const port = await freePort()
  const said: string[] = []
  const waiting = waitForDatabase(at(port), (line) => said.push(line), 20_000)
  await sleep(700)
  let asked = 0
  await listen(port, (socket) => {
    asked += 1
    if (asked < 3) socket.once('data', () => socket.end(refusal('57P03', 'the database system is starting up')))
    else forwardToDatabase(url, socket)
  })
  await waiting
  expect(asked).toBe(3)
  expect(said).toEqual([expect.stringMatching(/^Waiting up to 20 seconds for the database \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)…$/)])
})

it('gives up after its time with one line without the password', async () => {
  const port = await freePort()
  const said: string[] = []
  const error: unknown = await waitForDatabase(at(port), (line) => said.push(line), 1_500).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SettingsError)
  expect((error as Error).message).toMatch(
    /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:\d+ \(waited 1\.5 seconds\)\.$/,
  )
  expect(said).toHaveLength(1)
  expect([...said, (error as Error).message].join()).not.toContain(new URL(url).password)
})

it.each([
  ['a wrong password', '28P01', 'password authentication failed for user "khamar"'],
  ['a missing database', '3D000', 'database "nowhere" does not exist'],
])('does not wait at %s', async (_what, code, message) => {
  const port = await freePort()
  await listen(port, (socket) => socket.once('data', () => socket.end(refusal(code, message))))
  const said: string[] = []
  await expect(waitForDatabase(at(port), (line) => said.push(line))).rejects.toMatchObject({ code, message })
  expect(said).toEqual([])
})

it('repeats a read of the start while connections take too long or break, and no other failure', async () => {
  const port = await freePort()
  let asked = 0
  await listen(port, (socket) => {
    asked += 1
    // The first says nothing, the second breaks.
    if (asked === 2) socket.destroy()
    if (asked > 2) forwardToDatabase(url, socket)
  })
  const { db, close } = openDb(at(port), { max: 1, connectTimeout: 300 })
  let reads = 0
  const read = () => {
    reads += 1
    return sql`select 1 as one`.execute(db)
  }
  expect((await retryWhileAway(read, 20_000)).rows).toEqual([{ one: 1 }])
  expect(reads).toBeGreaterThanOrEqual(3)
  await expect(retryWhileAway(() => sql`select 1 / 0`.execute(db))).rejects.toMatchObject({ code: '22012' })
  await close()
})
