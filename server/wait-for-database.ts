import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseClient } from '#lib/db/database-hosts.server.ts'
import { isDatabaseAway } from '#lib/db/db.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { describeError } from '#lib/runtime/log.server.ts'

const WAIT_MS = 60_000
const PAUSE_MS = 500
const CONNECT_MS = 5_000

/**
 * Waits until the database takes connections, as after a reboot at which it starts later than the shop. Says once that it waits. Throws
 * a `SettingsError` after a minute, and immediately for errors that waiting does not solve: a wrong password, a missing database.
 */
export async function waitForDatabase(url: string, say: (line: string) => void, waitMs = WAIT_MS): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let isLogged = false; ;) {
    const error = await connectionError(url)
    if (error === null) return
    if (!isLate(error)) throw error
    if (performance.now() + PAUSE_MS > deadline)
      throw new SettingsError(`The database of DATABASE_URL cannot be used: ${reasonOf(error)} (waited ${waitMs / 1000} seconds).`)
    if (!isLogged) say(`Waiting up to ${waitMs / 1000} seconds for the database (${reasonOf(error)})…`)
    isLogged = true
    await sleep(PAUSE_MS)
  }
}

/**
 * Runs a read of the start again while the database is away or too busy to answer: a start beside much other work must not fail for one
 * connection that took too long. Rejects after a minute, and immediately with other errors.
 */
export async function retryWhileAway<T>(read: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isLate(error) || performance.now() + PAUSE_MS > deadline) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function connectionError(url: string): Promise<unknown> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'khamar-start', connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => {})
  }
}

/** The driver's own time limit has no code. */
function isLate(error: unknown): boolean {
  return isDatabaseAway(error) || (error instanceof Error && error.message === 'timeout expired')
}

function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return describeError(first).message
}
