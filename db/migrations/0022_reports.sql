-- What each day sold, added up once, so that a report of ten years reads days and not orders (docs/decisions/0032). Kept by a job:
-- no order waits for it. Days are those of ordering, in Dhaka.
create table sales_days (
  day date not null,
  -- 0: no area (at the till).
  area_id integer not null,
  source order_source not null,
  -- All that were not cancelled or returned; of them, those that were delivered or completed.
  orders integer not null,
  total_poisha bigint not null,
  discount_poisha bigint not null,
  shipping_poisha bigint not null,
  done_orders integer not null,
  done_poisha bigint not null,
  lost_orders integer not null,
  lost_poisha bigint not null,
  primary key (day, area_id, source)
);

-- The goods alone, without delivery and coupons; an order with goods of two categories counts in both.
create table sales_day_categories (
  day date not null,
  category_id integer not null,
  orders integer not null,
  total_poisha bigint not null,
  primary key (day, category_id)
);

-- How far the job has read the histories of orders: one row.
create table sales_progress (
  id integer primary key default 1 check (id = 1),
  -- Events from here on have not been seen, or may not have been visible yet.
  next_event bigint not null default 0,
  refreshed_at timestamptz
);
insert into sales_progress default values;

create index weigh_ins_day on weigh_ins (weighed_on);
