-- One row for each attempt to write a backup file (features/backup).
create table backup_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  state text not null default 'running',
  started_by text not null,
  -- The member of staff who asked for it in the admin.
  actor_id bigint references users (id),
  -- The folder, or s3://bucket/prefix; never with keys.
  target text not null,
  file_name text,
  size_bytes bigint,
  -- SHA-256 of the whole file, in hexadecimal.
  checksum text,
  -- Row counts and sums of money and stock in the snapshot, by name.
  sums jsonb,
  -- When a restore of the file into a scratch database gave equal sums.
  verified_at timestamptz,
  -- When the retention deleted the file.
  deleted_at timestamptz,
  error text,
  constraint backup_runs_state check (state in ('running', 'done', 'failed')),
  constraint backup_runs_started_by check (started_by in ('schedule', 'admin', 'command')),
  constraint backup_runs_finished check ((state = 'running') = (finished_at is null)),
  constraint backup_runs_done check (
    state <> 'done' or (file_name is not null and size_bytes is not null and checksum is not null and sums is not null)),
  constraint backup_runs_failed check ((state = 'failed') = (error is not null)),
  constraint backup_runs_size check (size_bytes > 0),
  constraint backup_runs_checksum check (checksum ~ '^[0-9a-f]{64}$'),
  constraint backup_runs_ends check (state = 'done' or (verified_at is null and deleted_at is null))
);
create index backup_runs_done_at on backup_runs (finished_at) where state = 'done';
create index backup_runs_actor on backup_runs (actor_id) where actor_id is not null;
