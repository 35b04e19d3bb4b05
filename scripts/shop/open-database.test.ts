import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { readEnv } from '#lib/runtime/env.server.ts'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { openShopDatabase } from './open-database.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-open-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

it('reaches the embedded database of a running shop whose /tmp is private, as under systemd', async () => {
  const running = await startEmbedded({ dataDir, log: () => {} })
  try {
    await migrate(running.url)
    // The socket lies in the /tmp of the shop alone.
    const file = path.join(dataDir, 'database-url')
    const url = new URL((await readFile(file, 'utf8')).trim())
    url.searchParams.set('host', '/tmp/khamar-of-another-unit')
    await writeFile(file, url.href)
    const opened = await openShopDatabase(readEnv({ DATA_DIR: dataDir }), 'current')
    const { pool, close } = openDb(opened.url, { max: 1 })
    expect((await pool.query('select current_database() as name')).rows).toEqual([{ name: 'khamar' }])
    await close()
    await opened.close()
  } finally {
    await running.stop()
  }
})

it('waits for a shop that is being set up, and takes no half-made database for one', async () => {
  const running = await startEmbedded({ dataDir, log: () => {} })
  const { pool, close } = openDb(running.url, { max: 1, applicationName: 'khamar-test' })
  try {
    const client = await pool.connect()
    // As the start of the shop holds it while it applies migrations.
    await client.query('select pg_advisory_lock(715001001)')
    const newest = 'select max(name) from schema_migrations'
    const { rows } = await client.query(`delete from schema_migrations where name = (${newest}) returning name, checksum, applied_at`)
    const opening = openShopDatabase(readEnv({ DATA_DIR: dataDir }), 'migrate')
    const opened = vi.fn<() => void>()
    void opening.then(opened, opened)
    await sleep(1000)
    expect(opened).not.toHaveBeenCalled()
    await client.query('insert into schema_migrations select $1, $2, $3', [rows[0].name, rows[0].checksum, rows[0].applied_at])
    await client.query('select pg_advisory_unlock(715001001)')
    expect((await opening).isRunning).toBe(true)

    await client.query(`delete from schema_migrations where name = (${newest})`)
    await expect(openShopDatabase(readEnv({ DATA_DIR: dataDir }), 'migrate')).rejects.toThrow(
      'The database is older than this copy of Khamar',
    )
    client.release()
  } finally {
    await close()
    await running.stop()
  }
})
