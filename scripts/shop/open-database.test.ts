import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
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
