import { sql, type RawBuilder } from 'kysely'

// Checks that derived columns, events and audit log agree with the ledger and the orders. For databases that only the shop has written:
// a test that sets a status by SQL adds no event.

const paid = (...kinds: string[]) =>
  sql`(select coalesce(-sum(amount_poisha) filter (where kind = any(${kinds})), 0) from ledger_entries where order_id = o.id)`
export const LEDGER_INVARIANTS: Record<string, RawBuilder<object>> = {
  'refunds or settlements that are not those of the ledger': sql`
    select o.id from orders o where refunded_poisha <> ${paid('refund')} or settlement_poisha <> ${paid('settlement', 'return')}`,
  'fees or write-offs that are not those of the ledger': sql`
    select o.id from orders o where fee_poisha <> ${paid('fee')} or -written_off_poisha <> ${paid('write_off')}`,
  'ended order with an amount due, or with one that was written off': sql`
    select id from orders o where status in ('cancelled', 'returned') and (amount_due(o) > 0 or written_off_poisha > 0)`,
  'fee of an order that has neither ended nor a return': sql`
    select id from orders o where fee_poisha <> 0 and status not in ('cancelled', 'returned') and not exists (select 1 from pos_returns where order_id = o.id)`,
  'fee above the money that is left': sql`select id from orders o where fee_poisha > 0 and fee_poisha > amount_received(o)`,
  'live order whose returns are not in the ledger': sql`
    select o.id from orders o join (select order_id, sum(worth_poisha) as worth from pos_returns group by 1) r on r.order_id = o.id
    where o.status not in ('cancelled', 'returned') and r.worth <> -${paid('return')}`,
  'order whose last event has another status': sql`
    select o.id, o.status, e.to_status from orders o, lateral (
      select to_status from order_events where order_id = o.id and to_status is not null order by id desc limit 1) e where e.to_status <> o.status`,
  'event that does not start at the status of the previous one': sql`
    select * from (select order_id, id, kind, from_status, lag(to_status) over (partition by order_id order by id) as before from order_events
      where to_status is not null) e where kind in ('status', 'expired') and from_status is distinct from before`,
  'order with another delivery date than its lines': sql`
    select id, goods_on, latest_line_delivery_on(id) from orders
    where status in ('placed', 'processing', 'on_delivery') and goods_on is distinct from latest_line_delivery_on(id)`,
  'unsent order of an animal with another delivery date than the animal': sql`
    select o.id, l.delivery_on, p.delivery_on from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
    where o.status in ('placed', 'processing') and p.is_unique and l.delivery_on is distinct from p.delivery_on`,
  'order with a deadline that waits for nothing': sql`select id from orders where expires_at is not null and status <> 'placed'`,
  'animal without an order whose stock does not match its status': sql`
    select p.id, p.status, p.stock_milli from products p where is_unique and not exists (select 1 from animal_holds where product_id = p.id)
      and p.stock_milli <> case when p.status in ('in-stock', 'pre-book', 'hold') then 1000 else 0 end`,
  'booked animal without an order': sql`
    select p.id from products p where hold_reason = 'booked' and not exists (select 1 from animal_holds where product_id = p.id)`,
  'delivered animal that is not sold': sql`
    select p.id from products p join animal_holds c on c.product_id = p.id join orders o on o.id = c.order_id
    where o.status in ('delivered', 'completed') and p.status <> 'sold' and not exists (
      -- Staff may change an animal of an order from sold to hold.
      select 1 from audit_log a where a.subject = 'product' and a.subject_id = p.id::text and a.after ->> 'status' = 'hold')`,
  'settlement whose money is not in the ledger': sql`
    select s.weigh_in_id from settlements s left join ledger_entries e on e.id = s.ledger_entry_id
    where coalesce(-e.amount_poisha, 0) <> round((s.new_grams - s.old_grams) * s.rate_poisha / 100000.0) * 100 or e.order_id <> s.order_id`,
  'settlement of an animal that is not on its order': sql`
    select s.order_id, s.product_id from settlements s
    where not exists (select 1 from order_lines l where l.order_id = s.order_id and l.product_id = s.product_id)`,
  'ledger entry of a weighing without its settlement': sql`
    select e.id from ledger_entries e where kind = 'settlement' and method = 'weighing' and not exists (select 1 from settlements where ledger_entry_id = e.id)`,
  'animal whose weight is not its latest weighing': sql`
    select p.id from products p, lateral (select grams from weigh_ins where product_id = p.id order by weighed_on desc, id desc limit 1) w
    where p.weight_grams is distinct from w.grams`,
  'order of a merged customer': sql`select o.id from orders o join users u on u.id = o.customer_id where u.merged_into is not null`,
  'verified advance that is not in the ledger, or the other way round': sql`
    select c.order_id, c.transaction_id from advance_reports c group by c.order_id, c.method, c.transaction_id having bool_or(c.state = 'verified') <> exists (
      select 1 from ledger_entries e where e.order_id = c.order_id and e.method = c.method and e.reference = c.transaction_id)
      and not exists (select 1 from ledger_entries e where e.method = c.method and e.reference = c.transaction_id and e.order_id <> c.order_id)`,
  // A report that names the transaction of another order waits for staff.
  'waiting report of a transaction that is in the ledger': sql`
    select c.id from advance_reports c join ledger_entries e on e.order_id = c.order_id and e.method = c.method and e.reference = c.transaction_id
    where c.state = 'waiting' and e.kind <> 'counter'`,
  'gateway refund with an entry of another amount or order': sql`
    select r.id from gateway_refunds r left join ledger_entries e on e.id = r.ledger_entry_id left join ledger_entries b on b.id = r.reversal_entry_id
    where coalesce(e.amount_poisha, -r.amount_poisha) <> -r.amount_poisha or coalesce(b.amount_poisha, r.amount_poisha) <> r.amount_poisha
      or coalesce(e.order_id, r.order_id) <> r.order_id or coalesce(b.order_id, r.order_id) <> r.order_id`,
  'gateway refunds above the payment': sql`
    select gateway, gateway_txn from (select gateway, gateway_txn, sum(amount_poisha) as refunded from gateway_refunds where state <> 'failed' group by 1, 2) r
    join (select gateway, detail ->> 'gatewayTxn' as gateway_txn, max((detail ->> 'amountPoisha')::bigint) as paid from gateway_events group by 1, 2) e
      using (gateway, gateway_txn) where refunded > paid`,
  'cancelled order without its SMS': sql`
    select o.id from orders o where status = 'cancelled' and exists (select 1 from order_events e where e.order_id = o.id and e.to_status = 'cancelled'
      and e.kind in ('status', 'expired')) and not exists (
      select 1 from sms_outbox s where s.order_id = o.id and (s.template like 'order-cancelled-%' or s.template like 'order-expired%'))`,
  'event of staff without an audit entry': sql`
    select e.order_id, e.id, e.kind from order_events e where e.actor = 'staff'
      -- The timeline itself is the record of a comment.
      and e.kind <> 'comment'
      and not exists (select 1 from audit_log a where a.subject = 'order' and a.subject_id = e.order_id::text and a.actor_id = e.actor_id)
      -- A written SMS, the SMS before a delivery to many orders, and the release of a returned animal are entries of the SMS and of the animal.
      and not exists (select 1 from audit_log a where a.subject in ('sms', 'product') and a.actor_id = e.actor_id
        and (a.after -> 'order' = to_jsonb(e.order_id) or a.after -> 'orders' @> to_jsonb(e.order_id)))
      -- A payment on account is one entry of its customer, for all orders that it pays.
      and not exists (select 1 from audit_log a where a.subject = 'customer' and a.action = 'paid' and a.actor_id = e.actor_id
        and a.after -> 'account_payment' = e.detail -> 'account_payment')`,
}
