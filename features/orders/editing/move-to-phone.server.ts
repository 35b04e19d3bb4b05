import { sql } from 'kysely'
import { redirectQueuedSms } from '#features/messaging/queue-sms.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The ids of both customers. */
export interface MovedOrder {
  from: number
  to: number
}

/**
 * Sends what waits in the outbox to the corrected phone. An order whose customer was found by its phone goes to the holder of the corrected one,
 * who is a new customer where there is none. It stays with a customer who was signed in and gave another contact, and where it is part of a
 * balance: on account, or paid from store credit. `before`: its phone until now. Null when it stays. Lock order: after orders.
 */
export async function moveToPhone(
  tx: Db,
  orderId: number,
  before: string,
  { name, phone }: { name: string; phone: string },
): Promise<MovedOrder | null> {
  await redirectQueuedSms(tx, orderId, phone)
  const { rows } = await sql<{ id: number }>`select o.customer_id as id from orders o join users u on u.id = o.customer_id
    where o.id = ${orderId} and u.phone = ${before}
      and (o.source not in ('web', 'legacy') or coalesce(o.idempotency_key like 'guest:%', false))
      and not exists (select 1 from account_sales where order_id = o.id)
      and not exists (select 1 from store_credit_entries where order_id = o.id)`.execute(tx)
  if (!rows[0]) return null
  const { rows: holders } = await sql<{ id: number }>`insert into users (name, phone) values (${name}, ${phone})
    on conflict (phone) do update set phone = excluded.phone returning coalesce(merged_into, id) as id`.execute(tx)
  const holder = holders[0]!.id
  await tx.updateTable('orders').set({ customer_id: holder }).where('id', '=', orderId).execute()
  await tx.updateTable('coupon_uses').set({ customer_id: holder }).where('order_id', '=', orderId).execute()
  return { from: rows[0].id, to: holder }
}
