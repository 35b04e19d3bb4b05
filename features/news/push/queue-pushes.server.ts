import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { listNews } from '../queries.server.ts'
import { allSeen, NEWS_KINDS, type NewsKind, type Pushed, unseenIds } from '../rules.ts'
import { rolesOf, TTL_SECONDS } from './push-rules.ts'

/**
 * Queues a message for each device and kind with news since the last run. The lock of the one row lets a single process do it. What was
 * queued is stored as ids, as devices store what was seen: neither a time nor a highest id would do (decision 62).
 */
export function queuePushes(db: Db): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pushed: Pushed }>`select pushed from push_state for update skip locked`.execute(tx)
    if (rows.length === 0) return
    const { pushed } = rows[0]!
    const news = await listNews(tx)
    const next: Pushed = { ...pushed }
    for (const kind of NEWS_KINDS) {
      const before = pushed[kind]
      const count = before ? unseenIds(news[kind], before).length : 0
      if (before && count === 0) continue
      next[kind] = allSeen(news[kind])
      if (count > 0) await queueKind(tx, kind, count)
    }
    if (JSON.stringify(next) !== JSON.stringify(pushed)) await sql`update push_state set pushed = ${JSON.stringify(next)}`.execute(tx)
  })
}

/** A message that waits grows, and keeps the time of its next attempt. */
async function queueKind(tx: Db, kind: NewsKind, count: number): Promise<void> {
  await sql`insert into push_messages (subscription_id, kind, count, expires_at)
    select s.id, ${kind}, ${count}, now() + make_interval(secs => ${TTL_SECONDS})
    from push_subscriptions s join users u on u.id = s.user_id where u.disabled_at is null and u.role = any(${rolesOf(kind)}::text[])
    order by s.id
    on conflict (subscription_id, kind) do update set count = push_messages.count + excluded.count, expires_at = excluded.expires_at`.execute(
    tx,
  )
}
