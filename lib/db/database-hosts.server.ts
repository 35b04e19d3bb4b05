// Several hosts in DATABASE_URL: the shop uses the one that is the primary (decision 49).
import pg from 'pg'
import { urlsOfHosts } from './database-urls.ts'

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

/**
 * A client for a URL of one or several hosts. With several it connects to the host that was the primary last. A host that does not
 * answer, or is a replica, is left: the connection fails like one to a database that is away, and the next one tries the next host.
 */
export class DatabaseClient extends pg.Client {
  readonly #hosts: Hosts
  readonly #url: string

  constructor(config: pg.ClientConfig & { connectionString: string }) {
    const hosts = hostsOf(config.connectionString)
    super({ ...config, connectionString: hosts.url })
    this.#hosts = hosts
    this.#url = hosts.url
    // A connection that breaks during the check below has no other listener yet.
    if (hosts.areSeveral) this.on('error', () => {})
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | void {
    if (!this.#hosts.areSeveral) return callback ? super.connect(callback) : super.connect()
    const connected = this.#connectToPrimary()
    if (!callback) return connected
    // The pool's callback takes the error alone, and handles its own failures.
    const report = callback as (error: Error | null) => void
    void connected.then(
      () => setImmediate(report, null),
      (error: Error) => setImmediate(report, error),
    )
  }

  async #connectToPrimary(): Promise<pg.Client> {
    try {
      const client = await super.connect()
      const { rows } = await client.query<{ replica: boolean }>('select pg_is_in_recovery() as replica')
      if (rows[0]!.replica) throw new Error('Connection terminated: this host is a replica')
      return client
    } catch (error) {
      this.#hosts.leave(this.#url)
      void super.end().catch(() => {})
      throw error
    }
  }
}
