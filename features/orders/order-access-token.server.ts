import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { isIssued, issue } from '#lib/crypto/signed-value.server.ts'
import { randomToken, sha256 } from '#lib/ids/ids.server.ts'
import { hmac } from '#lib/crypto/keys.server.ts'

// The order access token opens the orders placed from a browser. The server signs its random bytes, so that it rejects cookies that a sister
// domain or an http page wrote. Orders store only the SHA-256 of the token.

const USE = 'browser'
const RANDOM_BYTES = 24

/** A new token, for a browser without one. */
export function newOrderAccessToken(sessionSecret: string): string {
  return issue(sessionSecret, USE, randomToken(RANDOM_BYTES))
}

/** Whether this server has issued the token. */
export function isOrderAccessToken(sessionSecret: string, value: string): boolean {
  return value.length < 200 && isIssued(sessionSecret, USE, value)
}

/**
 * The token for an order placed without a cookie. It is derived from the order's random `view_key`, so a repeated request gets the same
 * token. Deriving it also needs the session secret.
 */
export function orderAccessTokenOf(sessionSecret: string, viewKey: string): string {
  return issue(sessionSecret, USE, hmac(sessionSecret, 'browser-of-order', viewKey).toString('base64url'))
}

const VIEW_KEY_BYTES = 12

/** A new `view_key`: who has a link with it sees the order. */
export const newViewKey = () => randomToken(VIEW_KEY_BYTES)

const REPLAY_MINUTES = 60

/**
 * The token for a repeated request without a cookie whose first response was lost. The first request must have had no cookie either, so that
 * its token can be derived again. Null in all other cases, and for idempotency keys that others may know.
 */
export async function accessTokenOfReplay(
  { db, now, env }: { db: Db; now: () => Date; env: { sessionSecret: string } },
  sender: { browser: string | null; isKeySecret: boolean },
  orderId: number,
): Promise<string | null> {
  if (sender.browser !== null || !sender.isKeySecret) return null
  const since = new Date(now().getTime() - REPLAY_MINUTES * 60_000)
  const order = await db
    .selectFrom('orders')
    .select(['access_token_hash', 'view_key'])
    .where('id', '=', orderId)
    .where('placed_at', '>', since)
    .executeTakeFirst()
  if (!order) return null
  const secret = orderAccessTokenOf(env.sessionSecret, order.view_key)
  return order.access_token_hash?.equals(sha256(secret)) ? secret : null
}

/** Locks the orders of a customer that `endOrderAccess` may change. Commands that lock users first would violate the lock order. */
export async function lockOpenedOrders(tx: Db, customer: RawBuilder<unknown>): Promise<void> {
  await sql`select 1 from orders where customer_id = (${customer}) and access_token_hash is not null order by id for update`.execute(tx)
}

/**
 * Ends the access that the tokens of other browsers give to orders that a customer placed with the account. `browser`: the token whose orders
 * stay open. Guests may have ordered with the phone: those orders stay open where they were placed, and so do all while the phone is
 * unverified, because the account does not show them.
 */
export async function endOrderAccess(db: Db, customerId: number, browser: string | null): Promise<void> {
  await sql`update orders set access_token_hash = null where id in (
    select o.id from orders o join users u on u.id = o.customer_id
    where u.id = ${customerId} and u.phone_verified_at is not null and o.access_token_hash <> ${sha256(browser ?? '')}
      and exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'placed' and e.actor_id = u.id)
    order by o.id for update of o)`.execute(db)
}
