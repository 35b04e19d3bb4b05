-- What comes back to the counter: some of the lines of a sale, its money out of the till of the shift.
create table till_returns (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  shift_id bigint not null references till_shifts,
  at timestamptz not null,
  reason short_text not null check (btrim(reason) <> ''),
  -- What the goods were sold for, after their share of the discount; of that, what was paid and goes back.
  worth_poisha amount not null,
  refund_poisha amount not null check (refund_poisha <= worth_poisha),
  idempotency_key request_key not null unique,
  request_hash bytea not null
);
create index till_returns_order on till_returns (order_id, id);
create index till_returns_shift on till_returns (shift_id, id);

create table till_return_lines (
  return_id bigint not null references till_returns,
  product_id bigint not null references products,
  quantity_milli ordered_amount not null,
  -- What it was sold for before the discount of the whole sale.
  goods_poisha amount not null,
  -- Nothing to sell again.
  is_spoiled boolean not null,
  primary key (return_id, product_id)
);

alter domain movement_reason drop constraint movement_reason_check;
alter domain movement_reason add constraint movement_reason_check
  check (value in ('ordered', 'freed', 'counted', 'received', 'spoiled'));
