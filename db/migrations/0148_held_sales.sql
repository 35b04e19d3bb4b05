-- Held sales of all registers. A register takes a row once; a taken row stays until it expires, so that a late or repeated request of the
-- register that held it does not bring the sale back. Nothing is reserved.
create table held_sales (
  id uuid primary key,
  name text not null,
  cashier_id bigint not null references users (id),
  register text not null,
  -- By the device's clock, at most the time of its arrival.
  held_at timestamptz not null,
  created_at timestamptz not null,
  line_count integer not null,
  total_poisha bigint not null,
  request_hash bytea,
  -- As entered. Null: taken by the register that held it, before the sale arrived.
  sale jsonb,
  taken_at timestamptz,
  taken_by bigint references users (id),
  take_key text,
  constraint held_sales_name check (length(name) <= 60),
  constraint held_sales_register check (length(register) <= 40),
  constraint held_sales_counts check (line_count >= 0 and total_poisha >= 0),
  constraint held_sales_taken check ((taken_at is null) = (taken_by is null) and (taken_at is null) = (take_key is null)),
  constraint held_sales_content check (sale is not null or taken_at is not null)
);
create index held_sales_waiting on held_sales (held_at) where taken_at is null;
create index held_sales_created on held_sales (created_at);
