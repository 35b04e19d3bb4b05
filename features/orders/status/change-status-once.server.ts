import type { StaffActor } from '#features/auth/permissions.ts'
import { type KeyedRequest, withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { ZERO } from '#lib/format/money.ts'
import { earlierKeys } from '#lib/http/idempotency-key.server.ts'
import { needsReason } from '../rules.ts'
import { changeOrderStatus, type StatusChange, type StatusDeps, type StatusResult } from './change-status.server.ts'

/**
 * Changes the status of one order of a request under a key of its own: a repeated press gets the results of the first one. A press with other
 * orders does so for those that the lost one has changed; with another reason or money they are refused, which are not recorded twice.
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
  const keyed = {
    url,
    staff,
    headers: {
      'idempotency-key': `${String(key)}.${orderId}`,
      'x-earlier-keys': earlierKeys(request)
        .map((earlier) => `${earlier}.${orderId}`)
        .join(' '),
    },
    body: { orderId, ...change },
  }
  // A cache that is not filled uses a connection of its own.
  await deps.shopCache.settings()
  const result = await withIdempotencyKey<StatusResult>(deps.db, keyed, async (db, earlier) => {
    const changed = await changeOrderStatus({ ...deps, db }, orderId, change, staff)
    const isOwn = !changed.ok && changed.reason === 'changed' && earlier?.to === change.to && earlier.version === changed.version
    return isOwn && !needsReason(change.to) && (change.collected ?? ZERO) === ZERO ? earlier : changed
  })
  // Again after the commit.
  if (result.ok) deps.catalogChanged()
  return result
}
