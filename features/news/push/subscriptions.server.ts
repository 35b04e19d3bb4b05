import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { DeviceKeys } from './encrypt-push.server.ts'
import { MAX_DEVICES } from './push-rules.ts'

export interface Device extends DeviceKeys {
  userId: number
  /** The session in which it is switched on or registered again. */
  sessionId: number
  endpoint: string
  lang: Lang
}

/**
 * Stores a device, or its new keys and language. A device of another user moves to this one, without its queued messages. The
 * first device of all begins without a backlog.
 */
export function storeDevice(db: Db, { userId, sessionId, endpoint, p256dh, auth, lang }: Device): Promise<void> {
  return inTransaction(db, async (tx) => {
    // One after the other, so that the number of devices is exact.
    await sql`select 1 from push_state for update`.execute(tx)
    await sql`update push_state set pushed = '{}' where not exists (select 1 from push_subscriptions)`.execute(tx)
    await sql`delete from push_subscriptions where endpoint = ${endpoint} and user_id <> ${userId}`.execute(tx)
    await sql`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, lang)
      values (${userId}, ${sessionId}, ${endpoint}, ${p256dh}, ${auth}, ${lang})
      on conflict (endpoint) do update set session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, lang = excluded.lang, failures = 0`.execute(
      tx,
    )
    await sql`delete from push_subscriptions where id in
      (select id from push_subscriptions where user_id = ${userId} order by id desc offset ${MAX_DEVICES})`.execute(tx)
  })
}

/** Deletes a device of this user; nothing when there is none. */
export async function deleteDevice(db: Db, userId: number, endpoint: string): Promise<void> {
  await sql`delete from push_subscriptions where endpoint = ${endpoint} and user_id = ${userId}`.execute(db)
}
