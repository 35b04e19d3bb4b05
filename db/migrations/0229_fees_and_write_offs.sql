-- Two ledger kinds that change what an order costs. `fee`: kept from a refund, below zero. `write_off`: an amount due that will not be paid,
-- above zero, or a refund that cannot be given back, below zero. Entries of the opposite sign reverse them. Migration 0231 validates the
-- constraints, because a scan of all rows under this lock would stop orders.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('advance', 'gateway', 'cash_on_delivery', 'counter', 'settlement', 'return', 'rounding', 'refund', 'fee', 'write_off')) not valid;
alter table ledger_entries add constraint adjustment_is_no_payment check ((kind in ('fee', 'write_off')) = (method in ('fee', 'write_off'))
  and (kind not in ('fee', 'write_off') or (kind = method and shift_id is null))) not valid;

-- The sums of both kinds with the sign of the total: a fee raises it, a write-off of an amount due lowers it.
alter table orders add column fee_poisha bigint not null default 0;
alter table orders add column written_off_poisha bigint not null default 0;
alter table orders add constraint fee_not_below_zero check (fee_poisha >= 0) not valid;

create or replace function update_ledger_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders o set ledger_balance_poisha = o.ledger_balance_poisha + a.amount, refunded_poisha = o.refunded_poisha + a.refunded,
    settlement_poisha = o.settlement_poisha + a.settlement, fee_poisha = o.fee_poisha + a.fee, written_off_poisha = o.written_off_poisha + a.written_off
  from (
    select order_id, sum(amount_poisha)::bigint as amount, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount_poisha) filter (where kind in ('settlement', 'return')), 0)::bigint as settlement,
      coalesce(-sum(amount_poisha) filter (where kind = 'fee'), 0)::bigint as fee,
      coalesce(sum(amount_poisha) filter (where kind = 'write_off'), 0)::bigint as written_off
    from added where not paid_with_order group by order_id
  ) a where o.id = a.order_id;
  return null;
end $function$;

-- Money received less refunds: the balance without the entries that change the price.
create or replace function amount_received(o orders) returns bigint language sql immutable parallel safe
  return o.ledger_balance_poisha + o.settlement_poisha + o.fee_poisha - o.written_off_poisha;

-- Money received that may be given back: without fees kept and without overpayments written off.
create function amount_refundable(o orders) returns bigint language sql immutable parallel safe
  return o.ledger_balance_poisha + o.settlement_poisha - greatest(o.written_off_poisha, 0);
