-- Sheets on which the stock is counted, and their lines (features/stock-takes).
create table stock_takes (
  id bigint generated always as identity primary key,
  -- Null with names: the category was deleted. Null without: all counted products and animals.
  category_id integer references categories (id) on delete set null,
  category_en text,
  category_bn text,
  note text not null default '',
  state text not null default 'open',
  started_by bigint not null references users (id),
  started_at timestamptz not null,
  -- Who closed or cancelled the sheet.
  ended_by bigint references users (id),
  ended_at timestamptz,
  -- The value of the differences when the sheet was closed.
  difference_poisha bigint,
  constraint stock_takes_state check (state in ('open', 'closed', 'cancelled')),
  constraint stock_takes_ended check ((state = 'open') = (ended_at is null) and (ended_at is null) = (ended_by is null)),
  constraint stock_takes_difference check ((state = 'closed') = (difference_poisha is not null)),
  constraint stock_takes_category check ((category_en is null) = (category_bn is null) and (category_id is null or category_en is not null)),
  constraint stock_takes_note check (length(note) <= 200)
);
create index stock_takes_category on stock_takes (category_id);
create table stock_take_lines (
  take_id bigint not null references stock_takes (id),
  product_id bigint not null references products (id),
  -- The stock when the product was first counted on this sheet. Closing applies counted minus expected.
  expected_milli amount not null,
  counted_milli amount not null,
  reason text not null default 'counted',
  first_counted_at timestamptz not null,
  counted_at timestamptz not null,
  counted_by bigint not null references users (id),
  version integer not null default 1,
  -- The unit price at which the difference was valued; null until the sheet is closed.
  price_poisha amount,
  constraint stock_take_lines_pkey primary key (take_id, product_id),
  constraint stock_take_lines_counted check (counted_milli <= 1000000000000),
  constraint stock_take_lines_reason check (
    reason = 'counted' or reason in ('spoiled', 'lost') and counted_milli < expected_milli
    or reason = 'found' and counted_milli > expected_milli)
);
create index stock_take_lines_recent on stock_take_lines (take_id, counted_at, product_id);
create index stock_take_lines_different on stock_take_lines (take_id, counted_at, product_id) where counted_milli <> expected_milli;
create index stock_take_lines_product on stock_take_lines (product_id);
