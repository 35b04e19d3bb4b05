-- Who somebody is: codes by SMS, sessions that can be named and ended, second factors.

-- An email signs in to the account that had it first; who else types it learns nothing, so several may have it.
drop index users_email;
alter table users
  add column email_at timestamptz,
  -- The password was given to the person by somebody else: it opens nothing but the choice of an own one.
  add column password_once boolean not null default false;
update users set email_at = created_at where email is not null;
create index users_email on users (lower(email), email_at, id) where password_hash is not null;

-- A number for lists and addresses: the token's hash is nobody's business.
alter table sessions
  add column id bigint generated always as identity unique,
  -- When the person last showed the password or a code; what matters asks for it again after a while.
  add column checked_at timestamptz not null default now();

-- Something a browser has begun and must prove: a code by SMS, or of a second factor. The token is in the browser's cookie.
create table challenges (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  purpose text not null
    check (purpose in ('register', 'sign-in', 'new-password', 'new-phone', 'confirm', 'second-factor', 'first-password')),
  -- The number that is to be proven; a second factor proves no number.
  phone mobile_phone,
  -- Whose account it is about, where that is known before the proof.
  user_id bigint references users on delete cascade,
  code_hash bytea check (length(code_hash) = 32),
  -- What a registration typed: kept here, and nowhere else, until the number is proven.
  details jsonb not null default '{}',
  next_path text not null default '/' check (length(next_path) <= 2000),
  tries smallint not null default 0,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index challenges_user on challenges (user_id) where user_id is not null;
create index challenges_age on challenges (created_at);

create table second_factors (
  user_id bigint primary key references users on delete cascade,
  -- The shared secret, encrypted with a key that is not in the database.
  secret bytea not null,
  confirmed_at timestamptz,
  -- The last step of thirty seconds that was used: no code counts twice.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A number that has only ordered as a guest becomes part of an account: everything that points at the one points at the
-- other, whichever table it is in, and the guest is gone.
create function join_guest(guest bigint, account bigint) returns void
language plpgsql as $$
declare
  pointer record;
begin
  perform 1 from users where id in (guest, account) order by id for update;
  if exists (select 1 from users where id = guest and (password_hash is not null or phone_proven_at is not null or role <> 'customer')) then
    raise exception 'user % is no guest', guest;
  end if;
  for pointer in
    select c.conrelid::regclass as place, a.attname as col from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and cardinality(c.conkey) = 1
  loop
    execute format('update %s set %I = $1 where %I = $2', pointer.place, pointer.col, pointer.col) using account, guest;
  end loop;
  delete from users where id = guest;
end $$;
