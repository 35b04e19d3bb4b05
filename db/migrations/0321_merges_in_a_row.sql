-- An order that waits while the target of its merged customer is merged itself goes to the newest target: under the former one, which is closed, no
-- list of the customer showed it. A guest that the staff entered has entries in the audit log, which name it by a text and not by a foreign key.
create or replace function use_merged_customer() returns trigger language plpgsql as $$
declare
  target bigint;
  known text;
begin
  loop
    select merged_into, phone into target, known from users where id = new.customer_id for key share;
    exit when target is null;
    new.customer_id := target;
  end loop;
  -- The phone of an erased customer, see migration 0174.
  if known like '00%' then
    insert into users (name, phone) values (new.name, new.phone)
    on conflict (phone) do update set phone = excluded.phone returning id into new.customer_id;
  end if;
  return new;
end $$;

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
  update audit_log set subject_id = account::text where subject = 'customer' and subject_id = guest::text;
  delete from users where id = guest;
end $$;
