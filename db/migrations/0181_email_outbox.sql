-- Emails of the shop (decision 39). A row says what is to be sent and to which address; the text is made from the order when it is sent.
create table email_outbox (
  id bigint generated always as identity primary key,
  -- The event, sent once: order-placed-1001, payment-received-77, alarm-backup-2026-11-23-owner@shop.example.
  event_key text not null,
  kind text not null,
  order_id bigint references orders (id) on delete cascade,
  recipient short_text not null,
  -- What an alarm reports.
  detail jsonb not null default '{}',
  state text not null default 'queued',
  attempts integer not null default 0,
  -- The reason of the last failure: an SMTP status, a code of the connection, or one of the shop's.
  failure text,
  not_before timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 day',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint email_outbox_event_key unique (event_key),
  constraint email_outbox_event_key_length check (length(event_key) <= 400),
  constraint email_outbox_kind check (kind in ('order-placed', 'payment-received', 'alarm')),
  constraint email_outbox_state check (state in ('queued', 'sending', 'sent', 'failed', 'skipped')),
  constraint email_outbox_failure check (length(failure) <= 200),
  constraint email_outbox_of_an_order check ((kind = 'alarm') = (order_id is null))
);
create index email_outbox_queue on email_outbox (not_before, id) where state = 'queued';
create index email_outbox_sending on email_outbox (updated_at) where state = 'sending';
create index email_outbox_order on email_outbox (order_id, id) where order_id is not null;
create index email_outbox_created on email_outbox (created_at);

-- One row. Orders that were placed after `enabled_at` get a confirmation; those up to `scanned_until` have their row in the outbox.
create table email_state (
  id integer primary key default 1,
  -- When email was configured; null without it.
  enabled_at timestamptz,
  scanned_until timestamptz not null default now(),
  constraint email_state_one_row check (id = 1)
);
insert into email_state default values;
