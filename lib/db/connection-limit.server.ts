import type pg from 'pg'

/** PostgreSQL's code for a server, database or role that has as many connections as it may have. */
const TOO_MANY_CONNECTIONS = '53300'
const GROW_AFTER_MS = 30_000

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: (destroy?: Error | boolean) => void) => void

/** The driver gives the error of a connection that did not open in time no code. */
const isSlow = (error: unknown) => error instanceof Error && error.message === 'Connection terminated due to connection timeout'
const isLimit = (error: unknown): error is Error => error instanceof Error && (error as NodeJS.ErrnoException).code === TOO_MANY_CONNECTIONS

/**
 * Requests wait for a connection that the pool has while PostgreSQL refuses another one. Without this, a pool that is allowed to grow answers
 * 503 to each request for which it tries. The pool stays as small for half a minute; `onLimit` is called with the error each time it shrinks.
 * A request whose new connection does not open in time takes one that is free by then: a busy machine opens connections slowly.
 */
export function waitAtConnectionLimit(pool: pg.Pool, onLimit: (error: Error) => void): void {
  const connect = pool.connect.bind(pool) as { (): Promise<pg.PoolClient>; (callback: Connected): void }
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

  const canWait = (error: unknown) => (isLimit(error) && pool.totalCount > 0) || (isSlow(error) && pool.idleCount > 0)

  const waitAfter = async (refused: unknown): Promise<pg.PoolClient> => {
    const deadline = performance.now() + connectionTimeoutMillis
    let last = refused
    while (canWait(last) && performance.now() <= deadline) {
      if (isLimit(last)) shrink(last)
      try {
        return await connect()
      } catch (error) {
        last = error
      }
    }
    throw last
  }

  // `pool.query` passes a callback. A connection that the server accepts takes no further step.
  const connectThen = (callback: Connected) =>
    connect((error, client, release) => {
      if (!canWait(error)) return callback(error, client, release)
      // oxlint-disable-next-line promise/no-promise-in-callback -- the pool's own interface has both
      void waitAfter(error).then(
        (waited) => setImmediate(callback, undefined, waited, (destroy?: Error | boolean) => waited.release(destroy)),
        (last: Error) => setImmediate(callback, last, undefined, () => {}),
      )
    })
  pool.connect = ((callback?: Connected) => (callback ? connectThen(callback) : connect().catch(waitAfter))) as typeof pool.connect
}
