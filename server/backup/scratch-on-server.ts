import { sql } from 'kysely'
import { BACKUP_CONNECTIONS } from '#features/backup/run-backup.server.ts'
import { quoted } from '#features/backup/tables.server.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { describeError } from '#lib/runtime/log.server.ts'
import { isDiskFull } from '#lib/files/disk-full.server.ts'

/** PostgreSQL cuts names at 63 bytes. */
const MAX_NAME_LENGTH = 40
const SUFFIX = '_khamar_backup_check'

interface Place {
  name: string
  mayCreate: boolean
  /** The locale of the shop's database, when it is one of the system's library. */
  locale: string
  /** The schema of the shop's tables. */
  schema: string
}

/**
 * Runs `use` with a new database beside the shop's, dropped afterwards; returns null without the right to create one, and when the server's
 * disk is full. A database that a killed check left is dropped first; the lock of backups keeps two checks of one shop apart.
 */
export async function withDatabaseOnServer<T>(
  shopUrl: string,
  use: (url: string) => Promise<T>,
  log: (line: string) => void,
): Promise<T | null> {
  const { db, close } = openDb(shopUrl, BACKUP_CONNECTIONS)
  try {
    const { name, mayCreate, locale, schema } = await readPlace(db)
    if (!mayCreate) {
      log('The role of DATABASE_URL may not create a database (CREATEDB), so the backup was not restored for a check.')
      return null
    }
    const scratch = name.slice(0, MAX_NAME_LENGTH) + SUFFIX
    const drop = () => sql.raw(`drop database if exists ${quoted(scratch)} with (force)`).execute(db)
    try {
      await drop()
      await sql.raw(`create database ${quoted(scratch)} template template0 encoding 'UTF8' ${locale}`).execute(db)
    } catch (error) {
      log(`No database could be created to restore the backup for a check: ${describeError(error).message}`)
      return null
    }
    try {
      const url = withDatabaseName(shopUrl, scratch)
      await createSchema(url, schema)
      return await use(url)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      log(`The backup was not restored for a check: ${describeError(error).message}`)
      return null
    } finally {
      await drop()
    }
  } finally {
    await close()
  }
}

async function readPlace(db: Db): Promise<Place> {
  const { rows } = await sql<SnakeCased<Place>>`select d.datname as name, r.rolcreatedb or r.rolsuper as may_create,
      case when d.datlocprovider = 'c' then format('lc_collate %L lc_ctype %L', d.datcollate, d.datctype) else '' end as locale,
      current_schema() as schema
    from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`.execute(db)
  return toCamel<Place>(rows[0]!)
}

/** Creates the schema that a role with a `search_path` of its own expects, so that tables of the new database have a place. */
async function createSchema(url: string, schema: string): Promise<void> {
  const { db, close } = openDb(url, { ...BACKUP_CONNECTIONS, max: 1 })
  await db.schema.createSchema(schema).ifNotExists().execute().finally(close)
}

/** The URL, of one host or several, with another database. */
function withDatabaseName(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, (_all, server: string) => `${server}/${encodeURIComponent(name)}`)
}
