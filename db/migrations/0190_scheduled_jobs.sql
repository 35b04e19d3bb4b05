-- What the scheduled jobs last did (server/jobs.ts), in all processes together. The health page and the alarms read it.
create table scheduled_jobs (
  name text primary key,
  -- The last run that succeeded, by at most a minute more than was written; null: none yet.
  last_ok_at timestamptz,
  -- Failed runs since the last that succeeded, and the first of them.
  failures integer not null default 0,
  failing_since timestamptz,
  -- A job without a run counts as late from here: the shop started after it was down.
  watched_since timestamptz not null default now(),
  constraint scheduled_jobs_name check (length(name) between 1 and 60),
  constraint scheduled_jobs_failures check (failures >= 0 and (failures > 0) = (failing_since is not null))
);
