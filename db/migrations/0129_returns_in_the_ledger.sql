-- Returns at the POS get a ledger kind of their own: `settlement` is the final weighing only. Both change what the order costs and stay in
-- `orders.settlement_poisha`, so every balance, amount due and report is the same before and after.
alter table ledger_entries drop constraint ledger_entries_kind_check;
update ledger_entries set kind = 'return' where kind = 'settlement' and method = 'return';
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('advance', 'gateway', 'cash_on_delivery', 'counter', 'settlement', 'return', 'refund'));

create or replace function update_ledger_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders o set ledger_balance_poisha = o.ledger_balance_poisha + a.amount, refunded_poisha = o.refunded_poisha + a.refunded,
    settlement_poisha = o.settlement_poisha + a.settlement
  from (
    select order_id, sum(amount_poisha)::bigint as amount, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount_poisha) filter (where kind in ('settlement', 'return')), 0)::bigint as settlement
    from added where not paid_with_order group by order_id
  ) a where o.id = a.order_id;
  return null;
end $function$;
