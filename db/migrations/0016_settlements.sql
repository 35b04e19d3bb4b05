-- The final weighing settles an order [W3]: what the animal was reckoned at, what it weighs, the rate frozen at booking.
-- The money is a row of the ledger; a weight that did not change moves none.
create table settlements (
  weigh_in_id bigint primary key references weigh_ins,
  order_id bigint not null references orders,
  product_id bigint not null references products,
  old_grams integer not null check (old_grams > 0),
  new_grams integer not null check (new_grams > 0),
  rate_poisha bigint not null check (rate_poisha > 0),
  ledger_entry_id bigint unique references ledger_entries,
  settled_by bigint references users,
  at timestamptz not null default now()
);
create index settlements_order on settlements (order_id, weigh_in_id);
create index weigh_ins_product on weigh_ins (product_id, weighed_on desc, id desc);
-- The scale is asked by the beginning of a tag, whatever the database's collation.
create index products_tag on products (upper(tag_number) text_pattern_ops) where is_unique;
