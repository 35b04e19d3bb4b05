-- Purchases that the server reports to Meta's Conversions API (decision 60). A row is written only for a browser that agreed to cookies of
-- advertisers. What the browser said of itself is deleted when the report has ended.
create table conversion_events (
  order_id bigint primary key references orders (id) on delete cascade,
  -- The cookies _fbp and _fbc that Meta's script has set.
  browser_id text,
  click_id text,
  ip text,
  user_agent text,
  state text not null default 'queued',
  attempts integer not null default 0,
  -- The reason of the last failure: a status, a code of the connection, or the number of Meta's error.
  failure text,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint conversion_events_state check (state in ('queued', 'sending', 'sent', 'failed', 'skipped')),
  constraint conversion_events_browser_id check (length(browser_id) <= 300),
  constraint conversion_events_click_id check (length(click_id) <= 600),
  constraint conversion_events_ip check (length(ip) <= 60),
  constraint conversion_events_user_agent check (length(user_agent) <= 500),
  constraint conversion_events_failure check (length(failure) <= 200),
  constraint conversion_events_forget check (
    state in ('queued', 'sending') or num_nonnulls(browser_id, click_id, ip, user_agent) = 0
  )
);
create index conversion_events_queue on conversion_events (not_before) where state in ('queued', 'sending');
create index conversion_events_created on conversion_events (created_at);
