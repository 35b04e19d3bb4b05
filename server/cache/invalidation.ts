import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from '#lib/db/database-hosts.server.ts'
import type { CatalogRevision } from './catalog-revision.ts'

const RETRY_MS = 500
const HEARTBEAT = { everyMs: 10_000, timeoutMs: 3000 }

/**
 * Advances the revision with every change of the catalog in any process (`LISTEN catalog`). A lost connection unsubscribes the revision,
 * so that nothing is served from caches, and is retried. A heartbeat detects a connection that fails silently. Returns a stop function.
 */
export function subscribeToCatalogChanges(url: string, revision: CatalogRevision, heartbeat = HEARTBEAT): () => Promise<void> {
  const subscription = new Subscription(url, revision, heartbeat)
  void subscription.connect()
  return () => subscription.stop()
}

class Subscription {
  readonly #url: string
  readonly #revision: CatalogRevision
  readonly #heartbeat: typeof HEARTBEAT
  #client: pg.Client | null = null
  #isStopped = false
  #retryTimer: NodeJS.Timeout | undefined
  #heartbeatTimer: NodeJS.Timeout | undefined

  constructor(url: string, revision: CatalogRevision, heartbeat: typeof HEARTBEAT) {
    this.#url = url
    this.#revision = revision
    this.#heartbeat = heartbeat
  }

  async connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.#url,
      application_name: 'khamar-changes',
      connectionTimeoutMillis: 2000,
      session: { statement_timeout: 2000 },
    })
    this.#client = client
    client.on('error', () => this.#onLost())
    client.on('notification', () => this.#revision.advance())
    try {
      await client.connect()
      client.on('end', () => this.#onLost())
      await client.query('listen catalog')
      if (this.#isStopped) return
      this.#revision.advance()
      this.#revision.isSubscribed = true
      this.#heartbeatTimer = setInterval(() => void this.#check(client), this.#heartbeat.everyMs).unref()
    } catch {
      if (this.#client === client) this.#onLost()
    }
  }

  #onLost(): void {
    clearInterval(this.#heartbeatTimer)
    this.#revision.isSubscribed = false
    this.#revision.advance()
    this.#client?.removeAllListeners()
    this.#client?.on('error', () => {})
    this.#client?.end().catch(() => {})
    this.#client = null
    if (!this.#isStopped) this.#retryTimer = setTimeout(() => void this.connect(), RETRY_MS)
  }

  async #check(client: pg.Client): Promise<void> {
    const reply = client.query('select 1').then(
      () => true,
      () => false,
    )
    const isAlive = await Promise.race([reply, sleep(this.#heartbeat.timeoutMs, false, { ref: false })])
    if (!isAlive && this.#client === client && !this.#isStopped) this.#onLost()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#retryTimer)
    clearInterval(this.#heartbeatTimer)
    this.#client?.removeAllListeners('end')
    await this.#client?.end().catch(() => {})
  }
}
