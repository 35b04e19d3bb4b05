import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { describeError } from '#lib/runtime/log.server.ts'
import { concurrentIndexes, isConcurrent } from './concurrent-indexes.ts'
import { runMigrationText } from './migration-text.ts'

/** The migrations do not match the database, or one failed. The message is one line. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

export type Migration = { name: string; checksum: string; text: string }

export interface LockWait {
  /** How long a migration is tried while other transactions hold its tables. */
  limitMs: number
  /** The pause between two tries, in which the requests that waited run. */
  pauseMs: number
}

/** A backup of a large shop holds all tables for minutes. */
export const LOCK_WAIT: LockWait = { limitMs: 15 * 60_000, pauseMs: 3_000 }
/**
 * A statement that waits for a table makes later statements on it wait behind it. They end after 3 s (`lib/db/db.server.ts`), so a migration
 * gives up earlier.
 */
const LOCK_TIMEOUT_MS = 1_500
const DEADLOCK_RETRIES = 10
const DEADLOCK = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Applies a migration in a transaction of its own, or index by index when it is marked `-- concurrently`. It is tried again after a deadlock
 * with a running process, and until `limitMs` while its tables are locked. Throws a `MigrationError`. Nothing remains
 * of a failed transaction; of indexes, those that are complete.
 */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  { log, limitMs, pauseMs }: LockWait & { log: (line: string) => void },
): Promise<void> {
  const giveUpAt = performance.now() + limitMs
  let [deadlocks, hasWaited] = [0, false]
  while (true) {
    const error = await tryOnce(client, migration)
    if (error === null) return
    const { code } = error as { code?: string }
    if (code === DEADLOCK && deadlocks < DEADLOCK_RETRIES) {
      deadlocks += 1
      continue
    }
    if (code !== LOCK_NOT_AVAILABLE) throw failed(migration, describeError(error).message, error)
    const holders = await longTransactions(client)
    if (performance.now() + pauseMs > giveUpAt) {
      const message = `The migration ${migration.name} was undone: its tables stayed locked for ${spell(limitMs)} by ${holders}`
      throw new MigrationError(message, { cause: error })
    }
    if (!hasWaited) log(`The migration ${migration.name} waits for ${holders}; it is tried for up to ${spell(limitMs)}…`)
    hasWaited = true
    await sleep(pauseMs)
  }
}

function failed({ name, text }: Migration, reason: string, cause: unknown): MigrationError {
  const message = isConcurrent(text)
    ? `The migration ${name} failed, and the next start goes on with it: ${reason}`
    : `The migration ${name} failed and was undone: ${reason}`
  return new MigrationError(message, { cause })
}

const spell = (ms: number) => (ms < 60_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`)

/** Returns the error instead of throwing it. */
async function tryOnce(client: pg.Client, migration: Migration): Promise<Error | null> {
  try {
    if (isConcurrent(migration.text)) await buildConcurrently(client, migration)
    else await inOneTransaction(client, migration)
    return null
  } catch (error) {
    await client.query('rollback').catch(() => {})
    return error as Error
  }
}

async function inOneTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await runMigrationText(client, migration.text)
  await record(client, migration)
  await client.query('commit')
}

/**
 * Builds the indexes outside of a transaction, while the shop reads and writes. An index whose build was interrupted stays as an invalid one,
 * which `if not exists` would accept: it is dropped first. Waits without limit for open transactions; they wait for nothing.
 */
async function buildConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  for (const { name, create } of concurrentIndexes(migration.text)) {
    const { rows } = await client.query('select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid', [name])
    if (rows.length > 0) await client.query(`drop index concurrently ${name}`)
    await client.query(create)
  }
  await record(client, migration)
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}

/** Names the transactions of this database that have been open longest: those that hold the locks. */
async function longTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; pid: number }>(
    `select coalesce(nullif(application_name, ''), usename) as name, pid from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       and xact_start < clock_timestamp() - interval '1 second'
     order by xact_start limit 3`,
  )
  return rows.map(({ name, pid }) => `${name} (database process ${pid})`).join(', ') || 'other transactions'
}
