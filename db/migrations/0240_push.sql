-- Notifications on the devices of staff (decision 64).

-- A device that its user has switched on. Its browser has made the address at a push service, and the keys that messages are encrypted with.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  lang text not null,
  created_at timestamptz not null default now(),
  -- Failed attempts since the last success.
  failures integer not null default 0,
  constraint push_subscriptions_endpoint unique (endpoint),
  constraint push_subscriptions_endpoint_length check (length(endpoint) <= 1000),
  constraint push_subscriptions_keys check (length(p256dh) = 65 and length(auth) = 16),
  constraint push_subscriptions_lang check (lang in ('en', 'bn'))
);
create index push_subscriptions_user on push_subscriptions (user_id, id);

-- What a device is to be told: one row a kind, whose count grows until it is sent.
create table push_messages (
  subscription_id bigint not null references push_subscriptions (id) on delete cascade,
  kind text not null,
  count integer not null,
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (subscription_id, kind),
  constraint push_messages_kind check (length(kind) <= 40),
  constraint push_messages_count check (count > 0)
);
create index push_messages_due on push_messages (not_before);
create index push_messages_expired on push_messages (expires_at);

-- One row: the shop's key pair (VAPID), made when it is first needed, and the news of each kind that were queued.
create table push_state (
  id integer primary key default 1,
  public_key bytea,
  -- The private key, encrypted with a key that is not in the database.
  secret bytea,
  pushed jsonb not null default '{}',
  constraint push_state_one_row check (id = 1),
  constraint push_state_keys check ((public_key is null) = (secret is null))
);
insert into push_state default values;
