import { type RawBuilder, sql } from 'kysely'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import { demoSettings } from './settings.ts'

interface Traced {
  /** Orders `o` of the demo. */
  orders: RawBuilder<unknown>
  today: string
  publicUrl: string
}

/**
 * Adds what the shop writes beside an order and `shop check` looks for: stock movements, paid gateway attempts, audit entries and SMS. What
 * an order has already stays as it is.
 */
export async function addTraces(tx: Db, demo: Traced): Promise<void> {
  await addMovements(tx, demo.orders)
  await sql`
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state, gateway_txn, created_at, updated_at)
    select e.order_id, e.method, 'DEMO' || e.order_id, e.amount_poisha, 'paid', e.reference, e.at, e.at
    from ledger_entries e join orders o on o.id = e.order_id
    where ${demo.orders} and e.kind = 'gateway' and e.amount_poisha > 0
      and not exists (select 1 from payment_attempts a where a.order_id = o.id and a.gateway = e.method and a.state = 'paid')
    order by e.order_id`.execute(tx)
  await sql`
    insert into audit_log (at, actor_id, action, subject, subject_id, before, after)
    select e.at, e.actor_id, 'changed', 'order', e.order_id::text,
      jsonb_build_object('status', e.from_status) || case when e.detail ? 'reason' then '{"reason": null}' else '{}' end::jsonb,
      jsonb_strip_nulls(jsonb_build_object('status', e.to_status, 'reason', e.detail -> 'reason'))
    from order_events e join orders o on o.id = e.order_id
    where ${demo.orders} and e.actor = 'staff' and not exists (select 1 from audit_log a
      where a.subject = 'order' and a.subject_id = o.id::text and a.actor_id = e.actor_id)
    order by e.at, e.order_id`.execute(tx)
  await addSms(tx, demo)
}

/** The stock of the demo is what is left after its orders. */
async function addMovements(tx: Db, orders: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into stock_movements (product_id, order_id, delta_milli, reason, at)
    select product_id, order_id, -missing_milli, 'ordered', placed_at from (
      select l.product_id, l.order_id, l.position, o.placed_at, l.quantity_milli + coalesce((
        select sum(m.delta_milli) from stock_movements m where m.order_id = o.id and m.product_id = p.id), 0) as missing_milli
      from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
      where ${orders} and o.status not in ('cancelled', 'returned') and p.stock_milli is not null
        and not exists (select 1 from pos_returns r where r.order_id = o.id)) m
    where missing_milli > 0 order by order_id, position`.execute(tx)
}

async function addSms(tx: Db, { orders, today, publicUrl }: Traced): Promise<void> {
  const settings = { ...DEFAULT_SETTINGS, ...demoSettings(today) }
  const shop = orderSmsShop(publicUrl, settings)
  const { orderPlaced, orderCancelled } = settings.messages
  const { rows } = await sql<{ order_id: number; to_status: string; at: Date; version: number }>`
    select e.order_id, e.to_status, e.at, o.version from order_events e join orders o on o.id = e.order_id
    where ${orders} and e.to_status in ('placed', 'cancelled') and not exists (select 1 from sms_outbox s where s.order_id = o.id
      and s.template like case e.to_status when 'placed' then 'order-placed' else 'order-cancelled-%' end)
    order by e.at`.execute(tx)
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
