-- What is due is filtered by other things too: with them in its index none of the orders has to be read for that.
drop index orders_due;
create index orders_due on orders (placed_at, id) include (area_id, status, source, list_on, customer_id)
  where paid_poisha < total_poisha and status not in ('cancelled', 'returned');
-- So is a status, and an area.
drop index orders_status;
create index orders_status on orders (status, placed_at, id) include (area_id, source);
drop index orders_area;
create index orders_area on orders (area_id, placed_at, id) include (status, source);
