// Several hosts in DATABASE_URL: the shop uses the one that is the primary (decision 49).
import pg from 'pg'
import { urlsOfHosts } from './database-urls.ts'
import { beginSession, type Session } from './session.server.ts'
import { type ClientParts, endWhenSilent } from './silent-connection.server.ts'

/** The hosts of a URL, and which of them new connections try first. All connections of the process share it. */
class Hosts {
  readonly #urls: string[]
  #at = 0

  constructor(url: string) {
    this.#urls = urlsOfHosts(url)
  }

  get url(): string {
    return this.#urls[this.#at]!
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1
  }

  /** Selects the next host, unless another connection has left this one already. */
  leave(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.#urls.length
  }
}

const known = new Map<string, Hosts>()

function hostsOf(url: string): Hosts {
  const hosts = known.get(url) ?? new Hosts(url)
  known.set(url, hosts)
  return hosts
}

type Connected = Parameters<pg.Client['connect']>[0]

/** Firewalls drop connections that are idle for some minutes. Without an answer the connection ends ten seconds later. */
const KEEP_ALIVE_MS = 30_000
/** The server ends a statement after its timeout: silence that is longer by this comes from the network. */
const SILENCE_MS = 5_000
const PROBE_MS = 2_000

export type DatabaseClientConfig = pg.ClientConfig & { connectionString: string; session?: Session }

/**
 * A client for a URL of one or several hosts, with the settings of `session`. With several hosts it connects to the one that was the primary
 * last. A host that does not answer, or is a replica, is left: the connection fails like one to a database that is away, and the next one
 * tries the next host. A connection that is lost without notice ends: while it is idle by TCP, and with a statement that has a timeout by
 * `endWhenSilent`.
 */
export class DatabaseClient extends pg.Client {
  readonly #hosts: Hosts
  readonly #url: string
  readonly #session: Session
  /** The server's process. What the driver was told at the login is an invention of a connection pooler where one stands between. */
  #pid: number | null = null

  constructor({ session = {}, ...config }: DatabaseClientConfig) {
    const hosts = hostsOf(config.connectionString)
    super({ ...config, connectionString: hosts.url, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS })
    this.#hosts = hosts
    this.#url = hosts.url
    this.#session = session
    const statementMs = Number(session.statement_timeout ?? 0)
    if (statementMs > 0) {
      const parts = this as unknown as ClientParts
      this.once('connect', () => endWhenSilent(parts, statementMs + SILENCE_MS, () => isWorking(config.connectionString, this.#pid)))
    }
    // A connection that breaks while its session begins has no other listener yet.
    this.on('error', () => {})
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const connected = this.#begin()
    if (!callback) return connected
    // The pool's callback takes the error alone, and handles its own failures.
    const report = callback as (error: Error | null) => void
    void connected.then(
      () => setImmediate(report, null),
      (error: Error) => setImmediate(report, error),
    )
  }

  async #begin(): Promise<pg.Client> {
    try {
      const client = await super.connect()
      const { rows } = await client.query<{ pid: number; replica: boolean }>(beginSession(this.#session))
      this.#pid = rows[0]!.pid
      if (this.#hosts.areSeveral && rows[0]!.replica) throw new Error('Connection terminated: this host is a replica')
      return client
    } catch (error) {
      this.#hosts.leave(this.#url)
      void super.end().catch(() => {})
      throw error
    }
  }
}

/** Whether the server still runs the statement of a process, as a commit that waits for a replica. False when it does not answer. */
async function isWorking(connectionString: string, processId: number | null): Promise<boolean> {
  const probe = new DatabaseClient({
    connectionString,
    application_name: 'khamar-probe',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  probe.on('error', () => {})
  try {
    await probe.connect()
    const { rows } = await probe.query("select 1 from pg_stat_activity where pid = $1 and state = 'active'", [processId])
    return rows.length > 0
  } catch {
    return false
  } finally {
    void probe.end().catch(() => {})
  }
}
