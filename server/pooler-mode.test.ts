import { createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { rejectTransactionPooler } from './pooler-mode.ts'

const { url } = await testDb()

/** The server's messages that a login succeeded and that it waits for a query. */
const WELCOME = Buffer.from('5200000008000000005a0000000549', 'hex')
const shared = new pg.Client({ connectionString: url })
shared.on('error', () => {})
await shared.connect()
const { stream } = (shared as unknown as { connection: { stream: Socket } }).connection
stream.removeAllListeners('data')
let asking: Socket | undefined
stream.on('data', (bytes: Buffer) => asking?.write(bytes))

/** Runs the statements of all its clients on one connection, in turn. */
const pooler = createServer((client) => {
  client.once('data', () => {
    client.write(WELCOME)
    client.on('data', (bytes) => {
      if (bytes[0] !== 'Q'.charCodeAt(0)) return
      asking = client
      stream.write(bytes)
    })
  })
  client.on('error', () => {})
})
await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  pooler.close()
  stream.destroy()
})

it('refuses a connection pooler in transaction mode in one line', async () => {
  const through = `postgresql://khamar@127.0.0.1:${(pooler.address() as AddressInfo).port}/khamar`
  await expect(rejectTransactionPooler(through)).rejects.toThrow(
    /^The database of DATABASE_URL cannot be used: its connection pooler works in/,
  )
})

it('accepts a database, whose clients have a process each', async () => {
  await expect(rejectTransactionPooler(url)).resolves.toBeUndefined()
})
