-- A return whose sale is not found: no order, a customer's phone, and always a supervisor. Its refund is a ledger entry of the return and of
-- the shift instead of an order, so that drawer, payment methods and categories of a shift are summed as before.
alter table pos_returns
  alter column order_id drop not null,
  add column phone mobile_phone,
  add constraint return_has_order_or_phone check ((order_id is null) = (phone is not null)),
  add constraint return_without_order_is_approved check (order_id is not null or (approved_by is not null and exchange_order_id is null));

alter table ledger_entries
  alter column order_id drop not null,
  add column return_id bigint constraint ledger_entries_return_id_fkey references pos_returns (id),
  add constraint entry_has_order_or_return check ((order_id is null) = (return_id is not null)),
  add constraint entry_of_return_is_a_refund check (order_id is not null or (kind in ('refund', 'rounding') and shift_id is not null));
create index ledger_entries_return on ledger_entries (return_id) where return_id is not null;
