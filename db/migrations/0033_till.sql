-- A cashier's time at the till: counted cash when it opens, counted again when it closes.
create table till_shifts (
  id bigint generated always as identity primary key,
  cashier_id bigint not null references users,
  opened_at timestamptz not null,
  opening_cash_poisha amount not null,
  closed_at timestamptz,
  counted_cash_poisha amount,
  counted_bkash_poisha amount,
  counted_bank_poisha amount,
  -- What the ledger said when it was closed.
  expected_cash_poisha bigint,
  expected_bkash_poisha bigint,
  expected_bank_poisha bigint,
  note short_text not null default '',
  constraint closed_is_counted check (num_nulls(closed_at, counted_cash_poisha, counted_bkash_poisha, counted_bank_poisha,
    expected_cash_poisha, expected_bkash_poisha, expected_bank_poisha) in (0, 7)),
  constraint difference_is_explained check (closed_at is null or btrim(note) <> '' or (counted_cash_poisha = expected_cash_poisha
    and counted_bkash_poisha = expected_bkash_poisha and counted_bank_poisha = expected_bank_poisha))
);
create unique index one_open_shift on till_shifts (cashier_id) where closed_at is null;
create index till_shifts_opened on till_shifts (opened_at, id);

-- Cash that comes into the drawer or leaves it without a sale.
create table till_cash_moves (
  id bigint generated always as identity primary key,
  shift_id bigint not null references till_shifts,
  amount_poisha bigint not null check (amount_poisha <> 0),
  reason short_text not null check (btrim(reason) <> ''),
  at timestamptz not null
);
create index till_cash_moves_shift on till_cash_moves (shift_id, id);

-- What was put on the counter for an order of the till, and given back as change.
create table till_sales (
  order_id bigint primary key references orders,
  shift_id bigint not null references till_shifts,
  tendered_poisha amount not null,
  change_poisha amount not null check (change_poisha <= tendered_poisha)
);
create index till_sales_shift on till_sales (shift_id, order_id);

-- Money that passed through a till belongs to its shift.
alter table ledger_entries add column shift_id bigint references till_shifts;
create index ledger_entries_shift on ledger_entries (shift_id) where shift_id is not null;
