-- Statements of bank and wallet accounts, and the ledger entries that they were matched with (features/reconciliation).
create table statement_accounts (
  id bigint generated always as identity primary key,
  name text not null,
  -- The ledger method whose entries the statement should show.
  method text not null,
  -- The columns chosen at the last upload; null before the first.
  mapping jsonb,
  created_at timestamptz not null default now(),
  constraint statement_accounts_name_key unique (name),
  constraint statement_accounts_name check (btrim(name) <> '' and length(name) <= 100),
  constraint statement_accounts_method check (method in ('bank', 'bkash', 'nagad', 'rocket', 'card'))
);
create table statement_uploads (
  id bigint generated always as identity primary key,
  account_id bigint not null references statement_accounts (id),
  file_name text not null,
  -- Rows of the file, and those of them that the account did not have.
  row_count integer not null,
  new_count integer not null,
  uploaded_by bigint not null references users (id),
  uploaded_at timestamptz not null,
  constraint statement_uploads_file_name check (length(file_name) <= 255),
  constraint statement_uploads_counts check (new_count between 0 and row_count)
);
create index statement_uploads_account on statement_uploads (account_id, id desc);
create table statement_rows (
  id bigint generated always as identity primary key,
  account_id bigint not null references statement_accounts (id),
  upload_id bigint not null references statement_uploads (id),
  -- The line of the file.
  line integer not null,
  day date not null,
  -- Positive: money received. Negative: money that left the account.
  amount_poisha bigint not null,
  -- The normalized transaction id, or null.
  reference text,
  details text not null default '',
  -- Day, amount, transaction id or details, and the number among equal rows: a repeated upload adds nothing.
  row_hash text not null,
  -- False after a person removed a match.
  is_automatic boolean not null default true,
  -- Why the row has no ledger entry: a fee, a transfer between own accounts.
  explanation text,
  explained_by bigint references users (id),
  explained_at timestamptz,
  constraint statement_rows_hash_key unique (account_id, row_hash),
  constraint statement_rows_amount check (amount_poisha <> 0),
  constraint statement_rows_reference check (reference ~ '^[A-Z0-9-]{6,40}$'),
  constraint statement_rows_details check (length(details) <= 255),
  constraint statement_rows_explained check (
    (explanation is null) = (explained_at is null) and (explanation is null) = (explained_by is null) and btrim(explanation) <> '')
);
create index statement_rows_day on statement_rows (account_id, day, id);
create index statement_rows_upload on statement_rows (upload_id);
create table statement_matches (
  -- An entry is matched once. Entries are deleted with the demo shop only.
  entry_id bigint primary key references ledger_entries (id) on delete cascade,
  row_id bigint not null references statement_rows (id),
  kind text not null,
  -- Why a person matched them.
  reason text,
  matched_by bigint not null references users (id),
  matched_at timestamptz not null,
  constraint statement_matches_kind check (kind in ('reference', 'amount', 'manual')),
  constraint statement_matches_reason check ((kind = 'manual') = (reason is not null) and btrim(reason) <> '')
);
create index statement_matches_row on statement_matches (row_id);
create table reconciled_days (
  account_id bigint not null references statement_accounts (id),
  day date not null,
  -- The sums when the day was closed, and how much was left open.
  statement_poisha bigint not null,
  books_poisha bigint not null,
  open_rows integer not null,
  open_entries integer not null,
  -- Why the day was closed with open rows or entries.
  note text not null default '',
  closed_by bigint not null references users (id),
  closed_at timestamptz not null,
  constraint reconciled_days_pkey primary key (account_id, day),
  constraint reconciled_days_note check (open_rows + open_entries = 0 or btrim(note) <> '')
);
