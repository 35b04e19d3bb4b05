-- Staff return products of any delivered order. Such a return has no shift and pays nothing by itself: its refund is recorded afterwards.
alter table pos_returns alter column shift_id drop not null;
alter table pos_returns add column staff_id bigint references users (id);
alter table pos_returns add constraint return_has_shift_or_staff check ((shift_id is null) = (staff_id is not null));
alter table pos_returns add constraint return_by_staff_pays_nothing
  check (shift_id is not null or (order_id is not null and refund_poisha = 0 and exchange_order_id is null));
