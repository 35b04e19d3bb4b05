-- What the staff have sent under a key of its own, and what came of it: a second press after a lost answer hears it again instead of
-- making a second row. Needed while somebody may press again; a sweep takes them away after a day.
create table sent_once (
  key text primary key check (length(key) between 1 and 240),
  request_hash bytea not null,
  result jsonb not null,
  sent_at timestamptz not null default now()
);
create index sent_once_age on sent_once (sent_at);
