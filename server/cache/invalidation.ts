import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ResponseCache } from './response-cache.ts'

const RETRY_MS = 500
const HEARTBEAT = { everyMs: 10_000, timeoutMs: 3000 }

/**
 * Hears of every change of the catalog, from this process or another, and lets the kept answers go.
 * While the connection is away nothing is kept; it comes back by itself. A connection that says nothing (a broken
 * network tells nobody) is asked now and then. Answers a function that stops it.
 */
export function subscribeToCatalogChanges(url: string, kept: ResponseCache, heartbeat = HEARTBEAT): () => Promise<void> {
  let client: pg.Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined

  const lost = () => {
    clearInterval(beat)
    kept.listening = false
    kept.bump()
    client?.removeAllListeners()
    client?.on('error', () => {})
    client?.end().catch(() => {})
    client = null
    if (!stopped) retry = setTimeout(connect, RETRY_MS)
  }
  const check = async (asked: pg.Client) => {
    const answered = asked.query('select 1').then(
      () => true,
      () => false,
    )
    const isAlive = await Promise.race([answered, sleep(heartbeat.timeoutMs, false, { ref: false })])
    if (!isAlive && client === asked && !stopped) lost()
  }
  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'khamar-changes',
      keepAlive: true,
      connectionTimeoutMillis: 2000,
    })
    client = next
    next.on('error', lost)
    next.on('notification', () => kept.bump())
    try {
      await next.connect()
      next.on('end', lost)
      await next.query('listen catalog')
      if (stopped) return
      kept.bump()
      kept.listening = true
      beat = setInterval(() => void check(next), heartbeat.everyMs).unref()
    } catch {
      if (client === next) lost()
    }
  }
  void connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    clearInterval(beat)
    client?.removeAllListeners('end')
    await client?.end().catch(() => {})
  }
}
