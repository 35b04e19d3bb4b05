import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDb, type OpenDatabase } from '#lib/db/db.server.ts'
import { untilLockWait } from '#test/db.ts'
import { buildArea, buildProduct, openToVisitors, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { fillDataFolder } from '#test/shared.ts'
import { startShopProcess, type ShopProcess } from '#test/shop-process.ts'
import { Visitor } from '#test/visitor.ts'

// Row 76: SIGTERM in the middle of a checkout. What runs is finished, then the database ends, all within ten seconds.

let dataDir = ''
let shop: ShopProcess
let database: OpenDatabase
let url = ''
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-stopped-'))
  await fillDataFolder(dataDir)
  shop = await startShopProcess({ dataDir })
  url = readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim()
  database = openDb(url, { onError: () => {} })
  await openToVisitors(database.db)
  return () => rm(dataDir, { recursive: true, force: true })
})
afterEach(() => shop.kill())

/** The open sockets of a process. */
const connections = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
const postmaster = () => Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

async function expectCleanEnd(stopping: Promise<void>, pid: number): Promise<void> {
  const started = performance.now()
  await stopping
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(shop.output()).not.toMatch(/While stopping|rror:/)
  expect([isAlive(pid), existsSync(path.join(dataDir, 'postgres/postmaster.pid')), existsSync(path.join(dataDir, 'database-url'))]).toEqual(
    [false, false, false],
  )
}

it('orders that are being taken are answered first; no database is left behind; all is there after the next start', async () => {
  const { db } = database
  const area = await buildArea(db, { produce: 80 })
  const honey = await buildProduct(db, { unit: 'piece', stock_milli: 100_000 })
  const visitor = new Visitor(shop.url, { storesCookies: false })
  await visitor.token()
  const blocker = new pg.Client({ connectionString: url })
  blocker.on('error', () => {})
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from products where id = $1 for update', [honey.id])
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const before = connections(shop.pid)
  const orders = Array.from({ length: 10 }, () => visitor.post('/customer-orders', orderBody(area.id, [[honey.id, 1]], cash)))
  // All have reached the shop, one over the connection that was open, and the first waits for the lock.
  await expect.poll(() => connections(shop.pid)).toBeGreaterThanOrEqual(before + orders.length - 1)
  await untilLockWait(db)
  await sleep(1000)

  const pid = postmaster()
  const stopping = shop.stop()
  await sleep(500)
  await expect(fetch(shop.url, { signal: AbortSignal.timeout(1000) }), 'nobody new comes in').rejects.toThrow()
  await blocker.query('rollback')
  await blocker.end()
  await database.close()
  const answers = await Promise.all(orders)
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
  await expectCleanEnd(stopping, pid)

  shop = await startShopProcess({ dataDir })
  const again = openDb(readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim())
  const { rows } = await sql<{ id: number }>`select id from orders order by id`.execute(again.db)
  expect(rows.map((row) => row.id)).toEqual(answers.map((answer) => answer.body.order_id).toSorted())
  await expectInvariants(again.db)
  await again.close()
  await shop.stop()
})

it('visitors who keep their connection open, or never finish their request, do not hold it up', async () => {
  const { port } = new URL(shop.url)
  const sockets = [
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /customer-orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n{"cust',
    'GET / HT',
    '',
  ].map((text) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    return socket.on('error', () => {}).resume()
  })
  await sleep(500)
  const pid = postmaster()
  await database.close()
  await expectCleanEnd(shop.stop(), pid)
  for (const socket of sockets) socket.destroy()
})

it('a hang-up ends nothing where no terminal is attached, as under nohup', async () => {
  process.kill(shop.pid, 'SIGHUP')
  await sleep(2000)
  expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
  await database.close()
  await shop.stop()
})
