-- The orders of one day in one area are read from one index, as those of a state are.
create index orders_day_area on orders (deliver_on, placed_at, id) include (status, area_id);
drop index orders_day;
alter index orders_day_area rename to orders_day;
