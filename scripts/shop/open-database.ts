import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { openDb } from '#lib/db/db.server.ts'
import type { Env } from '#lib/runtime/env.server.ts'
import { explainUnusable } from '#server/database-refused.ts'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'

export interface OpenedDatabase {
  url: string
  close(): Promise<void>
}

/**
 * The shop's database: the one of DATABASE_URL, the embedded one of a running shop, or the embedded one, started until `close`. Applies
 * migrations to a database that no shop runs on, unless `shouldMigrate` is false.
 */
export async function openShopDatabase(env: Env, { shouldMigrate = true } = {}): Promise<OpenedDatabase> {
  const running = env.databaseUrl ?? (await runningDatabase(env.dataDir))
  if (running !== null && !env.databaseUrl) return { url: running, close: async () => {} }
  const embedded = running === null ? await startEmbedded({ dataDir: env.dataDir, log: console.error }) : null
  const url = embedded?.url ?? running ?? ''
  const close = async () => embedded?.stop()
  try {
    if (shouldMigrate) await migrate(url)
  } catch (error) {
    await close()
    throw env.databaseUrl ? explainUnusable(error) : error
  }
  return { url, close }
}

async function runningDatabase(dataDir: string): Promise<string | null> {
  const url = readUrl(path.join(dataDir, 'database-url'))
  if (url === null) return null
  const { db, close } = openDb(url, { max: 1 })
  try {
    await sql`select 1 from users limit 1`.execute(db)
    return url
  } catch {
    // A killed shop has left the file behind.
    return null
  } finally {
    await close()
  }
}

function readUrl(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
