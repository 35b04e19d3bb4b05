-- Files of pictures and videos whose rows are deleted. A row stays until its files are gone, so that a killed process leaves none.
create table deleted_uploads (
  id bigint generated always as identity primary key,
  file_names text[] not null,
  deleted_at timestamptz not null default now()
);
