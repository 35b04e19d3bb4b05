import { Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '#db/types.ts'
import { waitAtConnectionLimit } from './connection-limit.server.ts'
import { DatabaseClient, type DatabaseClientConfig } from './database-hosts.server.ts'

/** The pool or an open transaction; queries and commands take either. Tables and columns are typed by the generated db/types.ts. */
export type Db = Kysely<Database>

export type OpenDatabase = { db: Db; pool: pg.Pool; close(): Promise<void> }

type OpenOptions = {
  max?: number
  /** Connections that stay open while they are idle, none by default. Others close after ten seconds. */
  min?: number
  applicationName?: string
  /** Milliseconds to connect, 2,000 by default. */
  connectTimeout?: number
  /** Milliseconds of a statement, 5,000 by default. */
  statementTimeout?: number
  /** Called for errors on idle connections, which belong to no query (the server stopped). */
  onError?: (error: Error) => void
  /** Called at most every half a minute while PostgreSQL accepts no more connections. */
  onConnectionLimit?: (error: Error) => void
  /** Called after each query of `db`, failed ones too. */
  onQuery?: QueryObserver
}

export type QueryObserver = (sql: string, durationMs: number, hasFailed: boolean) => void

const INT8 = 20
const DATE = 1082
const TEXT_ARRAY = 1009
const ARRAY_OF: Record<number, (text: string) => unknown> = { 1016: safeInteger, 1182: String, 1231: String }

/**
 * Opens a pool. int8 is read as a number (an unsafe one throws), numeric as a string, date as `YYYY-MM-DD`, timestamptz as a Date.
 * Statements time out after 5 s, waits for a lock after 3 s.
 */
export function openDb(url: string, options: OpenOptions = {}): OpenDatabase {
  const onError = options.onError ?? (() => {})
  const session: Pick<DatabaseClientConfig, 'session'> = {
    session: {
      statement_timeout: options.statementTimeout ?? 5_000,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 10_000,
    },
  }
  const pool = new pg.Pool({
    connectionString: url,
    Client: DatabaseClient as never,
    max: options.max ?? 16,
    min: options.min ?? 0,
    application_name: options.applicationName ?? 'khamar',
    connectionTimeoutMillis: options.connectTimeout ?? 2_000,
    types: { getTypeParser },
    ...session,
  })
  // Without these listeners a lost connection crashes the process: one for the pool's idle clients, one for clients that are
  // checked out but between two statements.
  pool.on('error', onError)
  waitAtConnectionLimit(pool, options.onConnectionLimit ?? (() => {}))
  pool.on('connect', (client) => {
    client.on('error', onError)
    usePreparedStatements(client)
  })
  const { onQuery } = options
  const log = onQuery && {
    log: ({ level, query, queryDurationMillis }: LogEvent) => onQuery(query.sql, queryDurationMillis, level === 'error'),
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), ...log })
  return { db, pool, close: () => db.destroy() }
}

const PREPARED = /^\s*\/\*prepared (\w+)\*\//

/**
 * A `/*prepared name*\/` prefix makes a statement a named prepared statement: PostgreSQL parses and plans it once a connection. Use it
 * for frequent statements, but not where a generic plan is bad.
 */
function usePreparedStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? PREPARED.exec(text)?.[1] : undefined
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest)
  }
  client.query = named as unknown as typeof client.query
}

/**
 * Runs `fn` in one transaction and commits, or rolls back when it throws. Inside a transaction it is a savepoint,
 * so that a caught failure undoes only its own part. A transaction is retried after a deadlock (40P01), so `fn` must have no side
 * effects outside it.
 */
export async function inTransaction<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return retryDeadlocks(() => db.transaction().execute(fn))
  await sql`savepoint inner_step`.execute(db)
  try {
    const result = await fn(db)
    await sql`release savepoint inner_step`.execute(db)
    return result
  } catch (error) {
    await sql`rollback to savepoint inner_step`.execute(db)
    await sql`release savepoint inner_step`.execute(db)
    throw error
  }
}

const MAX_ATTEMPTS = 3

/** Runs the transaction again after a deadlock. One lock order (docs/architecture.md) makes deadlocks rare. */
async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let left = MAX_ATTEMPTS - 1; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left === 0 || !(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error
    }
  }
}

const AWAY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const AWAY_SQL_STATES = /^(57P0[123]|08...|53300)$/
// The driver gives these errors no code, so their texts are compared.
const AWAY_TEXTS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
]

/** Whether the database is unreachable (503), rather than the statement wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code && (AWAY_SYSTEM_CODES.has(code) || AWAY_SQL_STATES.test(code))) return true
  if (code === 'ENOENT' && syscall === 'connect') return true
  if (AWAY_TEXTS.some((text) => error.message.startsWith(text))) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return error.cause !== undefined && isDatabaseAway(error.cause)
}

/** A wait for a lock timed out, or several waits exceeded the statement timeout. */
export function isWaitTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '57014')
}

/** The name of the violated constraint, or null for another kind of error. */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('23')) return null
  return error.constraint ?? null
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a number`)
  return number
}

type TypeParser = (value: never) => unknown

function getTypeParser(oid: number, format?: string): TypeParser {
  if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
  if (oid === INT8) return safeInteger
  if (oid === DATE) return String
  const ofElement = ARRAY_OF[oid]
  if (!ofElement) return pg.types.getTypeParser(oid, 'text')
  const texts = pg.types.getTypeParser(TEXT_ARRAY as never, 'text') as (text: string) => (string | null)[]
  return (text: string) => texts(text).map((entry) => (entry === null ? null : ofElement(entry)))
}
