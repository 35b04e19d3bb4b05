import pg from 'pg'
import type { KeptAnswers } from './page/kept-answers.ts'

const RETRY_MS = 500

/**
 * Hears of every change of the catalogue, from this process or another, and lets the kept answers go.
 * While the connection is away nothing is kept; it comes back by itself. Answers a function that stops it.
 */
export function listenForChanges(url: string, kept: KeptAnswers): () => Promise<void> {
  let client: pg.Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  const lost = () => {
    kept.listening = false
    kept.bump()
    client?.removeAllListeners()
    client?.on('error', () => {})
    client?.end().catch(() => {})
    client = null
    if (!stopped) retry = setTimeout(connect, RETRY_MS)
  }
  const connect = async () => {
    const next = new pg.Client({ connectionString: url, application_name: 'khamar-changes', keepAlive: true, connectionTimeoutMillis: 2000 })
    client = next
    next.on('error', lost)
    next.on('notification', () => kept.bump())
    try {
      await next.connect()
      next.on('end', lost)
      await next.query('listen catalogue')
      kept.bump()
      kept.listening = true
    } catch {
      if (client === next) lost()
    }
  }
  void connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    client?.removeAllListeners('end')
    await client?.end().catch(() => {})
  }
}
