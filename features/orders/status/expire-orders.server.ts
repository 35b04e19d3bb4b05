import { sql } from 'kysely'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { finalCheck } from '#features/payments/commands/reconcile-payments.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { inTransaction } from '#lib/db/db.server.ts'

const MAX_CONCURRENT = 50
/** A gateway that cannot be asked now is asked again after this long. */
const ASK_AGAIN_MS = 60_000

export interface ExpireDeps extends PaymentDeps {
  catalogChanged(): void
}

/**
 * Cancels orders whose money did not come in time, and gives their goods back [S3]. The gateway is asked once more before;
 * several processes may sweep at once, each order is ended by one.
 */
export async function expireOrders(deps: ExpireDeps): Promise<number> {
  const now = deps.now()
  const askAgain = new Date(now.getTime() + ASK_AGAIN_MS)
  const { rows } = await sql<{ id: number }>`
    with due as (
      select id from orders where status = 'placed' and expires_at <= ${now} order by expires_at limit ${MAX_CONCURRENT} for update skip locked)
    update orders o set expires_at = ${askAgain} from due where o.id = due.id returning o.id`.execute(deps.db)
  let ended = 0
  for (const { id } of rows) {
    const check = await finalCheck(deps, id)
    if (check.free && (await expireOne(deps, id, askAgain))) ended += 1
    else if (!check.free && (check.reason === 'paid' || check.reason === 'review'))
      await sql`update orders set expires_at = null where id = ${id} and status = 'placed'`.execute(deps.db)
  }
  if (ended > 0) deps.catalogChanged()
  return ended
}

/** Kept with the order for shopper and staff alike, whichever language they read [S3]. */
const EXPIRED_REASON = 'Payment not received in time · সময়মতো টাকা পাওয়া যায়নি'

/** `until`: an order that waits longer by now was given more time meanwhile, by a reported advance or a proven phone. */
async function expireOne(deps: ExpireDeps, id: number, until: Date): Promise<boolean> {
  const settings = await deps.facts.settings()
  const { publicUrl } = deps.env
  return inTransaction(deps.db, async (tx) => {
    // A payment or a clerk may have come in between: then the order is no longer what was asked about. The lock comes first,
    // in a statement of its own, because the next one sees only ledger rows that were there when it began.
    await sql`select 1 from orders where id = ${id} for update`.execute(tx)
    const { rows } = await sql`
      update orders o set status = 'cancelled', reason = ${EXPIRED_REASON}, expires_at = null, version = version + 1, updated_at = ${deps.now()}
      where id = ${id} and status = 'placed' and expires_at <= ${until} and not exists (select 1 from ledger_entries where order_id = o.id) returning id`.execute(
      tx,
    )
    if (rows.length === 0) return false
    await sql`select free_stock(${id})`.execute(tx)
    await sql`insert into order_events (order_id, at, actor, kind, from_status, to_status) values (${id}, ${deps.now()}, 'system', 'expired', 'placed', 'cancelled')`.execute(
      tx,
    )
    const sms = { orderId: id, event: 'order-expired', text: settings.messages.orderExpired, more: { link: publicUrl } }
    await queueOrderSms(tx, orderSmsShop(publicUrl, settings), sms)
    return true
  })
}
