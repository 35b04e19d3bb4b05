import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { sha256, sha256Hex } from '#lib/ids/ids.server.ts'
import { scopedIdempotencyKey } from './order-input.server.ts'

const MINUTE_MS = 60_000

/** The sender of a legacy form. */
export interface LegacySender {
  userId: number | null
  /** The order access token, null for a browser without one. */
  accessToken: string | null
  /** Network and user agent. */
  client: string
}

/**
 * The idempotency key of a form without script: the same values from the same sender within a minute are one order. The sender is the
 * account, else the order access token (set by the form's page), else network and user agent. A key of the last kind is not secret, so
 * its order is repeated only to the browser that placed it.
 */
export async function legacyIdempotencyKey(
  db: Db,
  sender: LegacySender,
  { values, productId }: { values: unknown; productId: unknown },
  now: Date,
): Promise<string> {
  const { userId, accessToken, client } = sender
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const keyOf = (from: string, at: number) => `legacy-${sha256Hex(JSON.stringify([from, values, productId, at]))}`
  const anonymous = `client ${client}`
  const from = userId !== null ? `user ${userId}` : accessToken === null ? anonymous : `browser ${accessToken}`
  const candidates = [
    { key: keyOf(from, minute - 1), accessToken: null },
    ...(accessToken === null || userId !== null ? [] : [minute, minute - 1].map((at) => ({ key: keyOf(anonymous, at), accessToken }))),
  ]
  const scoped = (key: string) => scopedIdempotencyKey(userId, key)
  const { rows } = await sql<{ key: string; access_token_hash: Buffer | null }>`
    select idempotency_key as key, access_token_hash from orders
    where idempotency_key = any(${candidates.map(({ key }) => scoped(key))}::text[])
      and placed_at > ${new Date(now.getTime() - MINUTE_MS)}`.execute(db)
  const earlier = candidates.find((candidate) =>
    rows.some(
      (row) =>
        row.key === scoped(candidate.key) &&
        (candidate.accessToken === null || row.access_token_hash?.equals(sha256(candidate.accessToken))),
    ),
  )
  return earlier?.key ?? keyOf(from, minute)
}
