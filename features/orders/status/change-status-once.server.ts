import type { StaffActor } from '#features/auth/permissions.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type KeyedRequest, withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { ZERO } from '#lib/format/money.ts'
import { earlierKeys } from '#lib/http/idempotency-key.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import { needsReason } from '../rules.ts'
import { changeOrderStatus, type StatusChange, type StatusDeps, type StatusResult } from './change-status.server.ts'

/**
 * Changes the status of one order of a request under a key of its own: a repeated press gets the results of the first one. A press with other
 * orders does so for those that the lost one has changed; with another reason or with money they are refused, which are not recorded twice.
 */
export async function changeStatusOnce(
  deps: StatusDeps,
  request: Omit<KeyedRequest, 'body' | 'staff'> & { staff: StaffActor },
  orderId: number,
  change: StatusChange,
): Promise<StatusResult> {
  const { staff, url, headers } = request
  const key = headers['idempotency-key']
  if (key === undefined) return changeOrderStatus(deps, orderId, change, staff)
  const keyOfOrder = (ofRequest: unknown) => sha256Hex(`${String(ofRequest)}.${orderId}`)
  const keyed = {
    url,
    staff,
    headers: { 'idempotency-key': keyOfOrder(key), 'x-earlier-keys': earlierKeys(request).map(keyOfOrder).join(' ') },
    body: { orderId, ...change },
  }
  // A cache that is not filled uses a connection of its own.
  await deps.shopCache.settings()
  const result = await withIdempotencyKey<StatusResult>(deps.db, keyed, async (db, earlier) => {
    const changed = await changeOrderStatus({ ...deps, db }, orderId, change, staff)
    const isOwn = !changed.ok && changed.reason === 'changed' && earlier?.to === change.to && earlier.version === changed.version
    return isOwn && (change.collected ?? ZERO) === ZERO && (await hasReason(db, orderId, change)) ? earlier : changed
  })
  // Again after the commit.
  if (result.ok) deps.catalogChanged()
  return result
}

/** Whether an order has the reason of this change, or needs none. */
async function hasReason(db: Db, id: number, { to, reason }: StatusChange): Promise<boolean> {
  if (!needsReason(to)) return true
  const order = await db.selectFrom('orders').select('reason').where('id', '=', id).executeTakeFirst()
  return order?.reason === reason
}
