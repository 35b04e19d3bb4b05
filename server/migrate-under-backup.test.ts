import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { expect, it } from 'vitest'
import { MIGRATIONS_DIR } from '#scripts/schema/migration-checksums.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { newDatabase } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { migrate } from './migrate.ts'

const database = await newDatabase()
// With the timeouts of a real shop: an order that waits for a lock for 3 s fails.
const shop = await openShop({ databaseUrl: database.url, timeouts: {} })

it('a migration of orders waits for a backup without stopping orders, and is applied when the backup ends', async () => {
  const area = await buildArea(shop.db, { produce: 80 })
  const honey = await buildProduct(shop.db, { unit: 'piece', stock_milli: 900_000 })
  const stock = await countStock(shop.db)
  const dir = await mkdtemp(path.join(tmpdir(), 'khamar-migrations-'))
  await cp(MIGRATIONS_DIR, dir, { recursive: true })
  await writeFile(path.join(dir, '9999_gift.sql'), 'alter table orders add column gift_note text;')
  const backup = new pg.Client({ connectionString: database.url, application_name: 'khamar-backup' })
  await backup.connect()
  await backup.query('begin isolation level repeatable read read only')
  for await (const _chunk of backup.query(copyTo('copy orders to stdout')));

  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const statuses: number[] = []
  let isOver = false
  const load = Promise.all(
    [1, 2, 3].map(async () => {
      for (; !isOver; await sleep(20)) {
        statuses.push((await shop.post('/customer-orders', orderBody(area.id, [[honey.id, 1]], cash))).status)
        statuses.push((await shop.get('/track?order=1001')).status)
      }
    }),
  )
  const lines: string[] = []
  const migrating = migrate(database.url, { dir, log: (line) => lines.push(line), lockWait: { limitMs: 120_000, pauseMs: 500 } })
  try {
    await expect.poll(() => lines.some((line) => line.includes('9999_gift waits for khamar-backup')), { timeout: 40_000 }).toBe(true)
    const before = statuses.length
    await expect.poll(() => statuses.length, { timeout: 40_000 }).toBeGreaterThan(before + 20)
    await backup.query('rollback')
    expect(await migrating).toEqual({ applied: ['9999_gift'] })
  } finally {
    isOver = true
    await load
    await backup.end()
    await migrating
    await rm(dir, { recursive: true })
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  await expectInvariants(shop.db, stock)
  await shop.close()
  await database.drop()
}, 150_000)
