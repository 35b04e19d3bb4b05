-- One row a person, whatever they are to the farm; a guest who has ordered is a customer without a password.
create table users (
  id bigint generated always as identity primary key,
  role text not null default 'customer'
    check (role in ('customer', 'owner', 'manager', 'sales', 'cashier', 'weigher', 'viewer')),
  name name_text not null,
  phone mobile_phone not null unique,
  email short_text,
  password_hash text,
  phone_proven_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email)) where password_hash is not null and email is not null;

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ip text not null default '',
  user_agent text not null default ''
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Counted tries (sign-in, orders, bookings) per key and window; shared by all processes.
create table attempt_counts (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);
create index attempt_counts_age on attempt_counts (window_start);
