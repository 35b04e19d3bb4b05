-- The code that somebody of the staff types at another's till to approve what a cashier may not do alone.
create table till_codes (
  user_id bigint primary key references users on delete cascade,
  code_hash text not null,
  set_at timestamptz not null
);

-- What was approved: for one sale (known by the key it will be placed with) of one cashier's shift, and no further than written here.
create table till_approvals (
  id bigint generated always as identity primary key,
  shift_id bigint not null references till_shifts,
  sale_key request_key not null,
  supervisor_id bigint not null references users,
  discount_poisha amount not null,
  -- [{"id": product, "price": poisha}]
  prices jsonb not null default '[]',
  held bigint[] not null default '{}',
  at timestamptz not null,
  order_id bigint references orders,
  unique (shift_id, sale_key)
);
create index till_approvals_order on till_approvals (order_id) where order_id is not null;
