import type pg from 'pg'

/** PostgreSQL's code for a server, database or role that has as many connections as it may have. */
const TOO_MANY_CONNECTIONS = '53300'
const GROW_AFTER_MS = 30_000

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void

/**
 * Requests wait for a connection that the pool has while PostgreSQL refuses another one. Without this, a pool that is allowed to grow answers
 * 503 to each request for which it tries. The pool stays as small for half a minute; `onLimit` is called with the error each time it shrinks.
 */
export function waitAtConnectionLimit(pool: pg.Pool, onLimit: (error: Error) => void): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const { max, connectionTimeoutMillis = 0 } = pool.options
  let growing: NodeJS.Timeout | null = null

  const shrink = (error: Error) => {
    pool.options.max = Math.max(1, pool.totalCount)
    if (growing) return
    onLimit(error)
    growing = setTimeout(() => {
      pool.options.max = max
      growing = null
    }, GROW_AFTER_MS).unref()
  }

  const connectOrWait = async (): Promise<pg.PoolClient> => {
    const deadline = performance.now() + connectionTimeoutMillis
    while (true) {
      try {
        return await connect()
      } catch (error) {
        if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== TOO_MANY_CONNECTIONS) throw error
        if (pool.totalCount === 0 || performance.now() > deadline) throw error
        shrink(error)
      }
    }
  }

  const report = (callback: Connected) =>
    void connectOrWait().then(
      (client) => setImmediate(callback, undefined, client, (destroy?: Error | boolean) => client.release(destroy)),
      (error: Error) => setImmediate(callback, error, undefined, () => {}),
    )
  // `pool.query` passes a callback.
  pool.connect = ((callback?: Connected) => (callback ? report(callback) : connectOrWait())) as typeof pool.connect
}
