import { DatabaseClient } from '#lib/db/database-hosts.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'

const ROUNDS = 3
const CONNECT_MS = 5_000

/**
 * Throws a `SettingsError` for a connection pooler in transaction mode, which lends one connection of the server to several clients in turn:
 * LISTEN, timeouts and locks of a session would silently not work. Two clients that are connected at once must not meet one process.
 */
export async function rejectTransactionPooler(url: string): Promise<void> {
  const clients = [1, 2].map(() => {
    const client = new DatabaseClient({ connectionString: url, application_name: 'khamar-start', connectionTimeoutMillis: CONNECT_MS })
    client.on('error', () => {})
    return client
  })
  try {
    const seen = clients.map(() => new Set<number>())
    const [first, second] = seen as [Set<number>, Set<number>]
    for (const client of clients) await client.connect()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, client] of clients.entries()) {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        seen[index]!.add(rows[0]!.pid)
      }
    }
    if (first.size > 1 || second.size > 1 || first.has([...second][0]!))
      throw new SettingsError(
        'The database of DATABASE_URL cannot be used: its connection pooler works in transaction mode. Name the database itself, or a pooler in session mode.',
      )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}
