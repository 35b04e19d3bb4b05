// Reads of the admin from a streaming replica (DATABASE_READ_URL). See docs/decisions/0041-read-admin-lists-from-a-replica.md.
import { sql } from 'kysely'
import { type Db, isDatabaseAway, openDb } from './db.server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Runs a read on the replica if it has replayed the last write of this browser and is at most a second old, else on the primary. A
     * failure of the replica repeats the read on the primary, so it must have no side effects.
     */
    read<T>(run: (db: Db) => Promise<T>): Promise<T>
  }
}

/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. */
export type WalPosition = string

export const WAL_POSITION = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/

const MAX_AGE_MS = 1000
const POLL_MS = 200
const POOL_SIZE = 8

interface Options {
  primary: Db
  url: string
  warn(detail: object, message: string): void
}

/** A replica and its last known age. Polls both databases until `close`. */
export class ReadReplica {
  readonly #primary: Db
  readonly #replica: ReturnType<typeof openDb>
  readonly #warn: Options['warn']
  /** Positions of the primary that the replica has not replayed, by ascending time. */
  #pending: { position: bigint; at: number }[] = []
  #replayed = 0n
  /** The replica has everything that was written until then. */
  #freshAt = Number.NEGATIVE_INFINITY
  #isReported = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ primary, url, warn }: Options) {
    this.#primary = primary
    this.#warn = warn
    this.#replica = openDb(url, { max: POOL_SIZE, applicationName: 'khamar-read' })
    void this.#poll()
  }

  /** Runs a read; see `FastifyRequest.read`. `written` is the position of the reader's last write. */
  async read<T>(written: WalPosition | null, run: (db: Db) => Promise<T>): Promise<T> {
    if (!this.#has(written)) return run(this.#primary)
    try {
      return await run(this.#replica.db)
    } catch (error) {
      if (!isReplicaFailure(error)) throw error
      if (isDatabaseAway(error)) this.#lose(error)
      return run(this.#primary)
    }
  }

  /** The position that a replica must have replayed to show everything that is committed now. */
  async position(): Promise<WalPosition> {
    const { rows } = await sql<{ position: WalPosition }>`select pg_current_wal_insert_lsn()::text as position`.execute(this.#primary)
    return rows[0]!.position
  }

  /** How far the replica is behind: seconds since the newest moment that it shows. Infinity while it cannot be used. */
  ageSeconds(): number {
    return (performance.now() - this.#freshAt) / 1000
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#replica.close()
  }

  #has(written: WalPosition | null): boolean {
    return performance.now() - this.#freshAt <= MAX_AGE_MS && (written === null || toNumber(written) <= this.#replayed)
  }

  async #poll(): Promise<void> {
    try {
      const at = performance.now()
      this.#pending.push({ position: toNumber(await this.position()), at })
      this.#note(await this.#replayedPosition())
      this.#isReported = false
    } catch (error) {
      if (!this.#isClosed) this.#lose(error)
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref()
  }

  /** The time of a database transaction says nothing while nothing is written, so positions are compared. */
  #note(replayed: bigint): void {
    this.#replayed = replayed
    while (this.#pending[0] && this.#pending[0].position <= replayed) this.#freshAt = this.#pending.shift()!.at
    // A replica that is far behind: the oldest positions are enough to see it catch up.
    if (this.#pending.length > 100) this.#pending.splice(50, 1)
  }

  async #replayedPosition(): Promise<bigint> {
    const { rows } = await sql<{ position: WalPosition | null }>`
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position`.execute(this.#replica.db)
    const position = rows[0]?.position
    if (!position) throw new Error('DATABASE_READ_URL is not a replica')
    return toNumber(position)
  }

  #lose(error: unknown): void {
    this.#freshAt = Number.NEGATIVE_INFINITY
    this.#pending = []
    if (!this.#isReported) this.#warn({ err: error }, 'the replica cannot be used: reading from the primary')
    this.#isReported = true
  }
}

/** Away, cancelled by a conflict with replay (40001), or a loader that writes (25006). */
function isReplicaFailure(error: unknown): boolean {
  return isDatabaseAway(error) || ['40001', '25006'].includes((error as { code?: string }).code ?? '')
}

function toNumber(position: WalPosition): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
