import { accessSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { openDb } from '#lib/db/db.server.ts'
import type { CommandEnv } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { explainUnusable } from '#server/database-refused.ts'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { assertShop, migrate, waitForMigrations } from '#server/migrate.ts'

/** The connection of a command, which waits for the database of a busy machine: no page is behind it. */
export const COMMAND_CONNECTION = { max: 1, connectTimeout: 60_000 }

export interface OpenedDatabase {
  url: string
  /** Whether it is the embedded one of a shop that runs. */
  isRunning: boolean
  close(): Promise<void>
}

/**
 * What a command does with the schema. `migrate` creates a missing database and applies migrations. `current` changes nothing, and throws
 * for a database that this release would first have to create or migrate. `any` takes every schema, but creates no database.
 */
type SchemaUse = 'migrate' | 'current' | 'any'

/** The shop's database: the one of DATABASE_URL, the embedded one of a running shop, or the embedded one, started until `close`. */
export async function openShopDatabase(env: CommandEnv, use: SchemaUse): Promise<OpenedDatabase> {
  const opened = env.databaseUrl ? { url: env.databaseUrl, isRunning: false, close: async () => {} } : await openEmbedded(env, use)
  try {
    if (use !== 'migrate') await assertShop(opened.url, { isCurrent: use === 'current' })
    else if (opened.isRunning) await assertStarted(opened.url)
    else await migrate(opened.url)
  } catch (error) {
    await opened.close()
    throw env.databaseUrl ? explainUnusable(error) : error
  }
  return opened
}

/** A shop that runs brings its embedded database up to date by itself; it may be at it, as in the first seconds of a new shop. */
async function assertStarted(url: string): Promise<void> {
  await waitForMigrations(url, console.error)
  await assertShop(url, { isCurrent: true })
}

async function openEmbedded({ dataDir }: CommandEnv, use: SchemaUse): Promise<OpenedDatabase> {
  const running = await runningDatabase(dataDir)
  if (running !== null) return { url: running, isRunning: true, close: async () => {} }
  // A mistyped folder must not become an empty shop in which every rule holds.
  if (use !== 'migrate' && !hasDatabase(dataDir))
    throw new SettingsError(`There is no shop in ${dataDir}: set DATA_DIR or DATABASE_URL as for the shop.`)
  const embedded = await startEmbedded({ dataDir, log: console.error })
  if (embedded.fresh) console.error(`There was no shop in ${dataDir}: an empty one was created.`)
  return { url: embedded.url, isRunning: false, close: () => embedded.stop() }
}

/** Throws a `SettingsError` for the folder of another user, in which no database can be seen. */
function hasDatabase(dataDir: string): boolean {
  try {
    accessSync(path.join(dataDir, 'postgres/PG_VERSION'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    throw new SettingsError(`The database in ${dataDir} belongs to another user: run this as that user.`)
  }
}

/** The URL of the embedded database of a running shop, or null. */
async function runningDatabase(dataDir: string): Promise<string | null> {
  const url = readUrl(path.join(dataDir, 'database-url'))
  for (const one of url === null ? [] : [url, overTcp(url)]) if (await isShop(one)) return one
  return null
}

/** The same server without its socket, which is out of sight where the shop has a /tmp of its own (PrivateTmp of systemd). */
function overTcp(url: string): string {
  const tcp = new URL(url)
  tcp.searchParams.delete('host')
  return tcp.href
}

async function isShop(url: string): Promise<boolean> {
  const { db, close } = openDb(url, { max: 1, connectTimeout: 10_000, applicationName: 'khamar-check' })
  try {
    await sql`select 1 from users limit 1`.execute(db)
    return true
  } catch {
    // A killed shop has left the file behind.
    return false
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
