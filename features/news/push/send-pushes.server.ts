import { sql } from 'kysely'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { retryWaitSeconds } from '#lib/async/retry-wait.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { NEWS, type NewsKind } from '../rules.ts'
import type { ShopKeys } from './encrypt-push.server.ts'
import { pushKeys } from './push-keys.server.ts'
import { isPushEndpoint, MAX_FAILURES, rolesOf } from './push-rules.ts'
import { type PushOptions, type PushOutcome, sendPush } from './push-service.server.ts'
import { queuePushes } from './queue-pushes.server.ts'

export interface PushDeps {
  db: Db
  push: PushOptions
  env: { sessionSecret: string; publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
  log: { warn(detail: object, message: string): void }
}

/** Messages that one process sends concurrently. */
const CONCURRENCY = 8
/** A run ends after this time, so that a service that hangs does not make the job late. The next run goes on. */
const MAX_RUN_MS = 15_000
/** A message that is being sent for longer belongs to a process that has ended. */
const LEASE_SECONDS = 60

interface Claimed {
  subscription_id: number
  kind: NewsKind
  count: number
  attempts: number
  ttl: number
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  lang: Lang
  role: Role
  disabled: boolean
}

/** Queues news and sends due messages; one statement while no device is on. A push service with a problem does not fail the run. Several processes may run it at once. */
export async function pushNews(deps: PushDeps): Promise<void> {
  const { db } = deps
  const { rows: devices } = await sql`select 1 from push_subscriptions limit 1`.execute(db)
  if (devices.length === 0) return
  await queuePushes(db)
  await sql`delete from push_messages where expires_at <= now()`.execute(db)
  const { rows } = await sql`select 1 from push_messages where not_before <= now() limit 1`.execute(db)
  if (rows.length === 0) return
  const [keys, { shop }] = [await pushKeys(deps), await deps.shopCache.settings()]
  const end = performance.now() + MAX_RUN_MS
  const work = async () => {
    while (performance.now() < end) {
      const claimed = await claimMessage(db)
      if (claimed === null) return
      await sendMessage(deps, claimed, keys, shop.name[claimed.lang])
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

async function claimMessage(db: Db): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    with claimed as (
      update push_messages set attempts = attempts + 1, not_before = now() + make_interval(secs => ${LEASE_SECONDS})
      where (subscription_id, kind) = (select subscription_id, kind from push_messages where not_before <= now()
        order by not_before for update skip locked limit 1)
      returning subscription_id, kind, count, attempts, expires_at)
    select c.subscription_id, c.kind, c.count, c.attempts, greatest(extract(epoch from c.expires_at - now())::int, 0) as ttl,
      s.endpoint, s.p256dh, s.auth, s.lang, u.role, u.disabled_at is not null as disabled
    from claimed c join push_subscriptions s on s.id = c.subscription_id join users u on u.id = s.user_id`.execute(db)
  return rows[0] ?? null
}

async function sendMessage(deps: PushDeps, claimed: Claimed, keys: ShopKeys, shop: string): Promise<void> {
  const { db, push, env, log } = deps
  const { kind, count, lang, endpoint, p256dh, auth } = claimed
  // The role may have changed since the message was queued. The address is checked again, because a restored backup may have any.
  const isAllowed = !claimed.disabled && (rolesOf(kind) as readonly Role[]).includes(claimed.role)
  if (!isAllowed || !isPushEndpoint(endpoint, push.simulator)) return deleteMessage(db, claimed)
  const payload = { kind, count, lang, shop, label: translate(lang)(`news.push.${kind}`), url: NEWS[kind].href }
  const message = { endpoint, p256dh, auth, payload, ttlSeconds: claimed.ttl }
  const outcome = await sendPush(message, { ...push, keys, contact: env.publicUrl })
  if (outcome.state === 'later') log.warn({ device: claimed.subscription_id, code: outcome.code }, 'a push service took no message')
  await recordOutcome(db, claimed, outcome)
}

/** Records the end of an attempt. A message that grew in the meantime waits with what was added. */
async function recordOutcome(db: Db, claimed: Claimed, outcome: PushOutcome): Promise<void> {
  const { subscription_id: id, attempts, count } = claimed
  if (outcome.state === 'gone') {
    await sql`delete from push_subscriptions where id = ${id}`.execute(db)
  } else if (outcome.state === 'sent') {
    await sql`update push_subscriptions set failures = 0 where id = ${id} and failures > 0`.execute(db)
    // Only one that has grown is left, and a message never shrinks.
    const { numAffectedRows } = await sql`delete from push_messages where ${isMine(claimed)} and count <= ${count}`.execute(db)
    if (numAffectedRows) return
    await sql`update push_messages set count = count - ${count}, attempts = 0, not_before = now() where ${isMine(claimed)}`.execute(db)
  } else {
    const seconds = Math.max(retryWaitSeconds(attempts), outcome.retryAfterSeconds)
    await sql`update push_messages set not_before = now() + make_interval(secs => ${seconds}) where ${isMine(claimed)}`.execute(db)
    if (!outcome.isRefusal) return
    await sql`update push_subscriptions set failures = failures + 1 where id = ${id}`.execute(db)
    await sql`delete from push_subscriptions where id = ${id} and failures >= ${MAX_FAILURES}`.execute(db)
  }
}

/** A message that another process has claimed after the lease is not this one's. */
function isMine({ subscription_id: id, kind, attempts }: Claimed) {
  return sql`subscription_id = ${id} and kind = ${kind} and attempts = ${attempts}`
}

async function deleteMessage(db: Db, claimed: Claimed): Promise<void> {
  await sql`delete from push_messages where ${isMine(claimed)}`.execute(db)
}
