-- What the staff did, what they keep for themselves, and edits by two at once.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id bigint references users,
  -- A verb (created, changed, deleted, verified, …) and what it was done to.
  action text not null check (action ~ '^[a-z][a-z-]{1,39}$'),
  subject text not null check (subject ~ '^[a-z][a-z-]{1,39}$'),
  subject_id text not null default '' check (length(subject_id) <= 100),
  before jsonb,
  after jsonb,
  ip text not null default ''
);
create index audit_log_subject on audit_log (subject, subject_id, id desc);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_time on audit_log (at, id);

create table saved_filters (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  screen text not null check (screen ~ '^[a-z][a-z-]{1,39}$'),
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  query text not null check (length(query) <= 1000),
  unique (user_id, screen, name)
);

-- Raised by every edit: who saves over a newer one is told.
alter table areas add column version integer not null default 1;
