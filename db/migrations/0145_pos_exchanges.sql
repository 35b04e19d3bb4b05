-- An exchange at the POS is a return and the sale that the customer takes instead, in one transaction. The value carried over is a refund of
-- the old order and a payment of the new one, both by the method `exchange`, of the same amount in the same shift. So both orders balance, and
-- the drawer changes by the difference only.
alter table pos_returns
  add column exchange_order_id bigint constraint pos_returns_exchange_order_id_fkey references orders (id),
  add constraint exchanged_for_another_order check (exchange_order_id <> order_id);
create unique index pos_returns_exchange on pos_returns (exchange_order_id) where exchange_order_id is not null;

alter table ledger_entries add constraint exchange_has_two_sides check (
  method <> 'exchange' or (kind = case when amount_poisha > 0 then 'counter' else 'refund' end and shift_id is not null and reference is not null));

create function check_exchange_sums() returns trigger language plpgsql as $$
begin
  if (select sum(amount_poisha) from ledger_entries where shift_id = new.shift_id and method = 'exchange') <> 0 then
    raise exception 'the exchanges of shift % do not add up to zero', new.shift_id using errcode = 'check_violation', constraint = 'exchanges_add_up';
  end if;
  return null;
end $$;
-- Deferred: the two entries are written one after the other.
create constraint trigger exchanges_add_up after insert on ledger_entries deferrable initially deferred
  for each row when (new.method = 'exchange') execute function check_exchange_sums();
