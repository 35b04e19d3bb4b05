import { sql, type RawBuilder } from 'kysely'

// Invariants that hold after any concurrent actions. Each statement finds the rows that break one.
const returned = sql`(select coalesce(sum(b.quantity_milli), 0) from pos_return_lines b join pos_returns r on r.id = b.return_id
  where r.order_id = l.order_id and b.product_id = l.product_id)`
export const ORDER_INVARIANTS: Record<string, RawBuilder<object>> = {
  'stock below zero': sql`select id from products where stock_milli < 0`,
  'animal in two live orders': sql`
    select l.product_id from order_lines l join products p on p.id = l.product_id join orders o on o.id = l.order_id
    where p.is_unique and o.status not in ('cancelled', 'returned') and ${returned} = 0 group by l.product_id having count(*) > 1`,
  'live order without its animal': sql`
    select o.id, l.product_id from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
    left join animal_holds c on c.product_id = p.id and c.order_id = o.id
    where p.is_unique and (c.order_id is not null) <> (o.status not in ('cancelled', 'returned') and ${returned} = 0)`,
  'animal of an order that is for sale': sql`
    select p.id from animal_holds c join products p on p.id = c.product_id where p.status not in ('hold', 'sold') or p.stock_milli <> 0`,
  'counted line without its movement': sql`
    select l.order_id, l.product_id from order_lines l join products p on p.id = l.product_id join orders o on o.id = l.order_id
    where p.stock_milli is not null and (l.quantity_milli - ${returned}) * (case when o.status in ('cancelled', 'returned') then 0 else 1 end) <>
      (select coalesce(-sum(m.delta_milli), 0) from stock_movements m where m.order_id = l.order_id and m.product_id = l.product_id)`,
  'tracked product whose status does not match its stock': sql`
    select id from products where not is_unique and stock_milli is not null and (stock_milli = 0) <> (status = 'out-of-stock')`,
  'lines that do not add up': sql`
    select o.id from orders o, lateral (select sum(line_total_poisha) as goods, sum(round(base_price_poisha * quantity_milli / 1000.0)) as base from order_lines
      where order_id = o.id) l, lateral (select coalesce(sum(discount_poisha), 0) as coupon from coupon_uses where order_id = o.id) u
    where subtotal_poisha <> l.base or subtotal_poisha - discount_poisha > l.goods
      -- Only the admin may give a discount above the coupon's.
      or (subtotal_poisha - discount_poisha + u.coupon <> l.goods and source in ('web', 'legacy')
        and not exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'edited'))`,
  'discounts of lines alone that exceed the line, or the discount on the whole order': sql`
    select o.id from orders o, lateral (select sum(discount_poisha) as own, sum(line_total_poisha) as goods,
        bool_or(discount_poisha > line_total_poisha) as exceeds from order_lines where order_id = o.id) l
    where l.exceeds or l.own > l.goods - (o.subtotal_poisha - o.discount_poisha)`,
  'order whose balance is not the sum of its ledger entries': sql`
    select o.id from orders o where ledger_balance_poisha <> (select coalesce(sum(amount_poisha), 0) from ledger_entries where order_id = o.id)`,
  'rating of a product that is not that of its published reviews': sql`
    select product_id from (select product_id, count(*) as n, sum(rating) as total from reviews where state = 'published' group by product_id) r
    full join product_ratings k using (product_id) where (coalesce(n, 0), coalesce(total, 0)) <> (coalesce(review_count, 0), coalesce(rating_sum, 0))`,
  'coupon used more often than allowed': sql`select code from coupons where uses > max_uses`,
  'coupon whose counter is not the number of its uses': sql`
    select code from coupons c where uses <> (select count(*) from coupon_uses u where u.coupon_id = c.id and u.released_at is null)`,
  'customer who used a coupon more often than allowed': sql`
    select c.code, u.customer_id from coupons c join coupon_uses u on u.coupon_id = c.id and u.released_at is null join orders o on o.id = u.order_id
    -- A customer has the uses of those who were merged into it, and of orders that came with another phone.
    where not exists (select 1 from users m where m.merged_into = u.customer_id)
      and not exists (select 1 from audit_log a where a.subject = 'order' and a.subject_id = o.id::text and a.after -> 'customer' is not null)
      -- Later terms do not take back uses.
      and not exists (select 1 from audit_log a where a.subject = 'coupon' and a.subject_id = c.id::text
        and a.before -> 'max_uses_per_customer' is distinct from a.after -> 'max_uses_per_customer' and a.action = 'changed')
    group by c.id, u.customer_id having count(*) > c.max_uses_per_customer`,
  'coupon use of a cancelled order, or of another customer': sql`
    select u.order_id from coupon_uses u join orders o on o.id = u.order_id
    where (u.released_at is null and o.status = 'cancelled') or u.customer_id <> o.customer_id or u.discount_poisha > o.discount_poisha
      -- Only the admin may give a discount above the coupon's.
      or (u.discount_poisha not in (0, o.discount_poisha) and not exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'edited'))`,
  'order without exactly one SMS of placing': sql`
    select o.id from orders o where (select count(*) from sms_outbox s where s.order_id = o.id and s.template = 'order-placed') <>
      (select count(*) from order_events e where e.order_id = o.id and e.kind = 'placed' and e.to_status not in ('cancelled', 'returned') and o.source <> 'pos')`,
  'order without exactly one event of placing': sql`
    select o.id from orders o where (select count(*) from order_events e where e.order_id = o.id and e.kind = 'placed') <> 1`,
  'idempotency key without a request hash, or the other way round': sql`select id from orders where (idempotency_key is null) <> (request_hash is null)`,
  // Staff may have recorded the transaction for another order, which flags this one.
  'paid attempt that is not in the ledger': sql`
    select a.id from payment_attempts a left join ledger_entries e on e.method = a.gateway and e.reference = a.gateway_txn
    where a.state = 'paid' and e.id is null`,
  'POS sale whose balance is not its total': sql`
    select o.id from orders o where o.source = 'pos' and o.status not in ('cancelled', 'returned') and o.ledger_balance_poisha <> o.total_poisha
        - coalesce((select amount_poisha from account_sales a where a.order_id = o.id), 0)
        -- Of what is returned on account, only a part is paid back.
        + (select coalesce(sum(worth_poisha - refund_poisha), 0) from pos_returns r where r.order_id = o.id)
      -- Later edits, payments and weighings change the balance.
      and not exists (select 1 from order_events e where e.order_id = o.id
        and e.kind in ('edited', 'payment-recorded', 'payment-received', 'refund-recorded', 'advance-verified', 'settled', 'items-returned', 'fee-kept', 'written-off', 'write-off-reversed'))`,
  'return above the sold quantity': sql`select l.order_id, l.product_id from order_lines l where ${returned} > l.quantity_milli`,
  'return of a product that the order does not have': sql`
    select b.* from pos_return_lines b join pos_returns r on r.id = b.return_id
    where r.order_id is not null and not exists (select 1 from order_lines l where l.order_id = r.order_id and l.product_id = b.product_id)`,
  'refund above the payments, or returns above the total': sql`
    select o.id from orders o join (select order_id, sum(refund_poisha) as refund, sum(worth_poisha) as worth from pos_returns group by order_id) r on r.order_id = o.id
    where r.worth > o.total_poisha + (select coalesce(-sum(least(amount_poisha, 0)), 0) from ledger_entries where order_id = o.id and kind = 'settlement') or r.refund > (select sum(amount_poisha) from ledger_entries where order_id = o.id and kind not in ('settlement', 'return', 'refund', 'fee', 'write_off')
      and (kind <> 'rounding' or paid_with_order or account_payment_id is not null))`,
  'return whose money is not in the ledger of its shift': sql`
    select r.owner, r.shift_id from (select coalesce(order_id, -id) as owner, shift_id, refund_poisha from pos_returns) r group by 1, 2 having sum(r.refund_poisha) <> (
      select coalesce(-sum(amount_poisha), 0) from ledger_entries e where coalesce(e.order_id, -e.return_id) = r.owner and e.shift_id = r.shift_id
        and (e.kind = 'refund' or (e.kind = 'rounding' and not e.paid_with_order and e.account_payment_id is null)))`,
  // The admin may mark an order as returned after a partial return at the POS.
  'order with all products returned that is not returned': sql`
    select o.id from orders o where o.status <> 'returned' and exists (select 1 from pos_returns where order_id = o.id)
      and not exists (select 1 from order_lines l where l.order_id = o.id and l.quantity_milli > ${returned})`,
  'POS sale without its shift, or with a wrong change': sql`
    select o.id from orders o left join pos_sales s on s.order_id = o.id where o.source = 'pos' and (s.order_id is null
      or (s.tendered_poisha - s.change_poisha + (select coalesce(sum(amount_poisha), 0) from ledger_entries e
          where e.order_id = o.id and e.paid_with_order and (e.kind = 'rounding' or e.method in ('exchange', 'store_credit'))) + coalesce((select amount_poisha from account_sales a where a.order_id = o.id), 0) not between o.total_poisha - 1 and o.total_poisha + 1
        and not exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'edited')))`,
  'POS payment in another shift than its sale': sql`
    select e.id from ledger_entries e join pos_sales s on s.order_id = e.order_id
    where (e.paid_with_order and e.shift_id is distinct from s.shift_id) or (e.kind = 'counter' and not e.paid_with_order and e.shift_id is not null and e.account_payment_id is null)`,
  'account payment whose entries are not its amount': sql`
    select p.id from account_payments p where p.amount_poisha <> (select coalesce(sum(amount_poisha), 0) from ledger_entries e
      where e.account_payment_id = p.id and e.method = p.method and e.shift_id is not distinct from p.shift_id)`,
  'account sale with more paid than is due': sql`
    select o.id from orders o join account_sales a on a.order_id = o.id
    where amount_due(o) < 0 and o.status not in ('cancelled', 'returned') and not exists (select 1 from order_events e
      where e.order_id = o.id and e.kind in ('edited', 'refund-recorded', 'items-returned'))
      -- Staff may confirm a payment above the amount due; one on account never is.
      and not exists (select 1 from ledger_entries e where e.order_id = o.id and e.kind not in ('refund', 'rounding', 'settlement', 'return', 'fee', 'write_off')
        and not e.paid_with_order and e.account_payment_id is null)`,
  'closed shift whose expected sums are not those of its entries': sql`
    select s.id from pos_shifts s left join lateral (select coalesce(sum(amount_poisha) filter (where method = 'cash'), 0) as cash,
        coalesce(sum(amount_poisha) filter (where method = 'bkash'), 0) as bkash, coalesce(sum(amount_poisha) filter (where method = 'bank'), 0) as bank
      from ledger_entries where shift_id = s.id) l on true
    where s.closed_at is not null and (expected_bkash_poisha <> l.bkash or expected_bank_poisha <> l.bank or expected_cash_poisha <>
      s.opening_cash_poisha + l.cash + (select coalesce(sum(amount_poisha), 0) from pos_cash_movements m where m.shift_id = s.id))`,
  'count of a shift whose expected sum is not that of its entries': sql`
    select c.shift_id, c.method from pos_shift_counts c where c.expected_poisha <>
      (select coalesce(sum(amount_poisha), 0) from ledger_entries e where e.shift_id = c.shift_id and e.method = c.method)`,
  'exchange whose two sides differ': sql`
    select r.id from pos_returns r where exists (select 1 from ledger_entries where order_id = r.exchange_order_id and method = 'exchange' and amount_poisha > 0)
      is distinct from coalesce((select sum(amount_poisha) = 0 and count(*) = 2 from ledger_entries where method = 'exchange' and shift_id = r.shift_id
        and ((order_id = r.exchange_order_id and reference = 'return-' || r.id) or (order_id = r.order_id and reference = 'sale-' || r.exchange_order_id))), false)`,
  'store credit that is not in the ledger, or below zero': sql`
    select coalesce(order_id, return_id) as id from store_credit_entries s where s.balance_poisha < 0
      or s.order_id is not null and -s.amount_poisha <> coalesce((select sum(amount_poisha) from ledger_entries e where e.order_id = s.order_id and e.method = 'store_credit' and e.kind = 'counter'), 0)
    union all select r.owner from (select coalesce(r.order_id, -r.id) as owner, coalesce(s.amount_poisha, 0) as amount
        from pos_returns r left join store_credit_entries s on s.return_id = r.id) r
      group by 1 having sum(r.amount) <> coalesce((select -sum(amount_poisha) from ledger_entries e
        where coalesce(e.order_id, -e.return_id) = r.owner and e.method = 'store_credit' and e.kind = 'refund'), 0)
    union all select customer_id from store_credit_entries group by 1 having sum(amount_poisha) < 0`,
  'gateway payment without a paid attempt': sql`
    select e.id from ledger_entries e where e.kind = 'gateway' and e.amount_poisha > 0 and not exists (
      select 1 from payment_attempts a where a.order_id = e.order_id and a.gateway = e.method and a.state = 'paid')`,
}
