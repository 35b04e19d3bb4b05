-- A guest whose number is verified while an account takes it is no guest any more. The error names a constraint, so that the command tells it
-- from a failure.
create or replace function merge_guest_into_account(guest bigint, account bigint) returns void language plpgsql as $$
declare
  pointer record;
begin
  perform 1 from orders where customer_id in (guest, account) order by id for update;
  perform 1 from users where id in (guest, account) order by id for update;
  if exists (select 1 from users where id = guest and (password_hash is not null or phone_verified_at is not null or role <> 'customer')) then
    raise exception 'user % is no guest', guest using errcode = 'check_violation', constraint = 'merged_is_guest';
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
