-- The leaderboard, the customers and the staff of the back office.

-- What a buyer has spent on an order, kept beside it: its price as the final weighing settled it, less what went back. Giving back what was
-- paid too much takes nothing off the price. The ledger stays the truth; the trigger adds each row.
alter table orders
  add column refunded_poisha bigint not null default 0,
  add column settled_poisha bigint not null default 0;
update orders o set refunded_poisha = l.refunded, settled_poisha = l.settled
from (
  select order_id, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
    coalesce(-sum(amount_poisha) filter (where kind = 'settlement'), 0)::bigint as settled
  from ledger_entries where kind in ('refund', 'settlement') group by order_id
) l where l.order_id = o.id;
alter table orders add column spent_poisha bigint not null generated always as (
  greatest(0, total_poisha + settled_poisha - greatest(0, refunded_poisha - greatest(0, paid_poisha + refunded_poisha - total_poisha)))
) stored;

create or replace function add_to_paid() returns trigger
language plpgsql as $$
begin
  update orders o set paid_poisha = o.paid_poisha + a.amount, refunded_poisha = o.refunded_poisha + a.refunded,
    settled_poisha = o.settled_poisha + a.settled
  from (
    select order_id, sum(amount_poisha)::bigint as amount, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount_poisha) filter (where kind = 'settlement'), 0)::bigint as settled
    from added group by order_id
  ) a where o.id = a.order_id;
  return null;
end $$;

-- All that the leaderboard reads of an order, in the order of days.
create index orders_spent on orders (placed_at) include (customer_id, spent_poisha) where status in ('delivered', 'completed');

-- Customers are looked for by phone, email and name; names as the orders' are, by sound.
alter table users add column name_sounds tsvector not null generated always as (to_tsvector('simple'::regconfig, name_sound(name))) stored;
create index users_name on users using gin (name_sounds) with (fastupdate = off);
create index users_email_start on users (lower(email) text_pattern_ops) where email is not null;
create index users_staff on users (id) where role <> 'customer';
create index users_disabled on users (id) where disabled_at is not null;

-- One person with two phones: the other row stays for its phone, closed, and leads to the one that is kept.
alter table users
  add column merged_into bigint references users (id),
  add column merged_at timestamptz,
  add constraint merged_is_closed check (merged_into is null or disabled_at is not null),
  add constraint merged_into_another check (merged_into <> id);
create index users_merged on users (merged_into) where merged_into is not null;

-- Whoever orders with the other phone orders as the kept customer. The lock is the one that the foreign key takes anyway: an order that
-- is placed during the merge waits for it.
create function order_of_kept_customer() returns trigger
language plpgsql as $$
declare
  kept bigint;
begin
  select merged_into into kept from users where id = new.customer_id for key share;
  if kept is not null then
    new.customer_id := kept;
  end if;
  return new;
end $$;
create trigger orders_kept_customer before insert on orders for each row execute function order_of_kept_customer();

create table customer_notes (
  id bigint generated always as identity primary key,
  customer_id bigint not null references users (id) on delete cascade,
  note text not null check (btrim(note) <> '' and length(note) <= 1000),
  by_id bigint references users (id),
  at timestamptz not null default now()
);
create index customer_notes_customer on customer_notes (customer_id, id desc);
