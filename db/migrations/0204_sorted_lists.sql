-- Orders in which the admin's lists are sorted; each ends with the id. On a large database create them by hand with `concurrently` before.
create index if not exists orders_sum on orders
  ((case when status in ('cancelled', 'returned') then total_poisha::bigint else total_poisha + settlement_poisha end), id);
create index if not exists users_sorted_name on users (lower(name), id) where role = 'customer' and merged_into is null;
-- Payments and refunds by time, with the columns that the list filters by.
create index if not exists ledger_entries_time on ledger_entries (at, id) include (kind, method);
