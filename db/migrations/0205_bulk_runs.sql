-- Bulk changes of orders that a worker makes in the background (decision 56). The orders are fixed at the start, each with its version.
create table bulk_runs (
  id bigint generated always as identity primary key,
  status order_status not null,
  reason text not null default '',
  -- The query of the list, without its search.
  filter text not null,
  total integer not null,
  state text not null default 'running',
  -- Written at the end; counted from the orders before.
  done integer not null default 0,
  failed integer not null default 0,
  started_by bigint not null references users (id),
  ip text not null default '',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  is_dismissed boolean not null default false,
  constraint bulk_runs_state check (state in ('running', 'done', 'cancelled')),
  constraint bulk_runs_finished check ((state = 'running') = (finished_at is null)),
  constraint bulk_runs_total check (total > 0 and done + failed <= total),
  constraint bulk_runs_texts check (length(reason) <= 1000 and length(filter) <= 2000)
);
create index bulk_runs_running on bulk_runs (id) where state = 'running';
create index bulk_runs_started on bulk_runs (started_at);

create table bulk_run_orders (
  run_id bigint not null references bulk_runs (id) on delete cascade,
  -- No foreign key: its locks would write every order of the run once more at the start.
  order_id bigint not null,
  -- The version at the start: an order that changed since then is not changed.
  version integer not null,
  state text not null default 'waiting',
  -- Unexpected errors; the order is tried three times.
  attempts smallint not null default 0,
  -- Why it was not changed, as the command answers it.
  failure jsonb,
  primary key (run_id, order_id),
  constraint bulk_run_orders_state check (state in ('waiting', 'done', 'failed')),
  constraint bulk_run_orders_failure check ((state = 'failed') = (failure is not null))
);
create index bulk_run_orders_state on bulk_run_orders (run_id, state, attempts, order_id);
