import { sql } from 'kysely'
import { ASKED_AT_ONCE, checkBeforeExpiry, expireAttempts, hasNewAttempt } from '#features/payments/commands/reconcile-payments.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { lockOrder } from '../order-locks.server.ts'
import { cancelOrder } from './change-status.server.ts'
import { EXPIRED_REASON } from './own-cancel-rules.ts'

/** Maximum orders of one run. */
const MAX_ORDERS = 50
/** The retry delay when the gateway does not answer. */
const RETRY_MS = 60_000

export interface ExpireDeps extends PaymentDeps {
  catalogChanged(): void
}

/**
 * Cancels orders whose payment deadline has passed, and releases their stock [S3]. Queries the gateway first. Several processes may run it
 * concurrently: `skip locked` gives each order to one. The error of an order is thrown after the others.
 */
export async function expireOrders(deps: ExpireDeps): Promise<number> {
  const now = deps.now()
  const retryAt = new Date(now.getTime() + RETRY_MS)
  const { rows } = await sql<{ id: number }>`
    with due as (
      select id from orders where status = 'placed' and expires_at <= ${now} order by expires_at limit ${MAX_ORDERS} for update skip locked)
    update orders o set expires_at = ${retryAt} from due where o.id = due.id returning o.id`.execute(deps.db)
  let expired = 0
  const expire = async ({ id }: { id: number }) => {
    const check = await checkBeforeExpiry(deps, id)
    if (check.free && (await expireOne(deps, id, retryAt, check.attempts))) expired += 1
    else if (!check.free && (check.reason === 'paid' || check.reason === 'review')) await endDeadline(deps, id, retryAt)
  }
  try {
    await runEach(rows, expire, ASKED_AT_ONCE)
  } finally {
    if (expired > 0) deps.catalogChanged()
  }
  return expired
}

/** Takes the deadline of an order with a payment. One that it was given while the gateways answered stays: the staff rejected the payment. */
async function endDeadline({ db }: ExpireDeps, id: number, until: Date): Promise<void> {
  const orders = db.updateTable('orders').where('id', '=', id).where('status', '=', 'placed').where('expires_at', '=', until)
  await orders.set({ expires_at: null }).execute()
}

/** Stored with the order in both languages: customers and staff read it [S3]. */

/**
 * A final weighing changes the price and is no payment. An order whose deadline is later than `until` was extended meanwhile, by a reported
 * advance, a verified phone or another payment page. A page that was opened at the last moment is queried by the next run.
 */
async function expireOne(deps: ExpireDeps, id: number, until: Date, asked: readonly number[]): Promise<boolean> {
  const settings = await deps.shopCache.settings()
  return inTransaction(deps.db, async (tx) => {
    // The lock is a statement of its own: the next one sees ledger entries that were committed before it.
    const order = await lockOrder(tx, id)
    const { rows } = await sql`select 1 from orders o where id = ${id} and status = 'placed' and expires_at <= ${until}
      and amount_received(o) <= 0`.execute(tx)
    if (!order || rows.length === 0 || (await hasNewAttempt(tx, id, asked))) return false
    const context = { now: deps.now(), settings, publicUrl: deps.env.publicUrl }
    await cancelOrder(tx, order, { reason: EXPIRED_REASON, expired: true }, { kind: 'system', id: null }, context)
    await expireAttempts(tx, asked, deps.now())
    return true
  })
}
