import { sql } from 'kysely'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import { demoSettings } from './settings.ts'

/** Adds what the shop writes beside an order and `shop check` looks for: stock movements, paid gateway attempts, audit entries and SMS. */
export async function addTraces(tx: Db, shop: { today: string; publicUrl: string }): Promise<void> {
  // The stock of the demo is what is left after its orders.
  await sql`
    insert into stock_movements (product_id, order_id, delta_milli, reason, at)
    select l.product_id, o.id, -l.quantity_milli, 'ordered', o.placed_at from orders o join order_lines l on l.order_id = o.id
      join products p on p.id = l.product_id
    where o.status not in ('cancelled', 'returned') and p.stock_milli is not null order by o.id, l.position`.execute(tx)
  await sql`
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state, gateway_txn, created_at, updated_at)
    select order_id, method, 'DEMO' || order_id, amount_poisha, 'paid', reference, at, at from ledger_entries
    where kind = 'gateway' and amount_poisha > 0 order by order_id`.execute(tx)
  await sql`
    insert into audit_log (at, actor_id, action, subject, subject_id, before, after)
    select at, actor_id, 'changed', 'order', order_id::text, jsonb_build_object('status', from_status, 'reason', null),
      jsonb_build_object('status', to_status, 'reason', detail -> 'reason')
    from order_events where actor = 'staff' order by at, order_id`.execute(tx)
  await addSms(tx, shop)
}

async function addSms(tx: Db, { today, publicUrl }: { today: string; publicUrl: string }): Promise<void> {
  const settings = { ...DEFAULT_SETTINGS, ...demoSettings(today) }
  const shop = orderSmsShop(publicUrl, settings)
  const { orderPlaced, orderCancelled } = settings.messages
  const { rows } = await sql<{ order_id: number; to_status: string; at: Date; version: number }>`
    select e.order_id, e.to_status, e.at, o.version from order_events e join orders o on o.id = e.order_id
    where e.to_status in ('placed', 'cancelled') order by e.at`.execute(tx)
  for (const { order_id: orderId, to_status: to, at, version } of rows) {
    const sms =
      to === 'placed' ? { event: 'order-placed', text: orderPlaced } : { event: `order-cancelled-${version}`, text: orderCancelled }
    const id = await queueOrderSms(tx, shop, { orderId, ...sms })
    await tx
      .updateTable('sms_outbox')
      .set({ state: 'submitted', attempts: 1, not_before: at, created_at: at, updated_at: at, expires_at: at })
      .where('id', '=', id)
      .execute()
  }
}
