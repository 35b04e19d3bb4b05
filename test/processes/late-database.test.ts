import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { newDatabase } from '#test/db.ts'
import { databaseAt, forwardToDatabase } from '#test/forward-database.ts'
import { runScript } from '#test/run-script.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess } from '#test/shop-process.ts'

// A reboot starts the shop before its database.

await shared('pages')
const database = await newDatabase()
const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-shop-'))
const port = await freePort()
const late = databaseAt(database.url, port)
const server = createServer((socket) => forwardToDatabase(database.url, socket))
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A loaded machine may take seconds to come to the database at all. */
function listenOnceItWaits(printed: string): void {
  if (printed.includes('Waiting up to') && !server.listening) server.listen(port, '127.0.0.1')
}

it('the shop opens as soon as the database listens, and says once that it waits', async () => {
  onTestFinished(() => void server.close())
  const shop = await startShopProcess({ databaseUrl: late, dataDir, onPrint: listenOnceItWaits })
  const lines = shop.output().match(/^Waiting up to 60 seconds for the database \(connect ECONNREFUSED .*\)…$/gm)
  await shop.stop()
  expect(lines).toHaveLength(1)
})

it('a wrong password ends the start at once, in one line', async () => {
  const wrong = Object.assign(new URL(database.url), { password: 'wrong-word' })
  const { code, output } = await runScript('server/main.mjs', { env: { DATABASE_URL: wrong.href, DATA_DIR: dataDir } })
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^The database of DATABASE_URL cannot be used: password authentication failed .*\.\n$/),
  ])
  expect(output).not.toContain('wrong-word')
})
