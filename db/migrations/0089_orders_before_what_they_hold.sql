-- One order of locks: orders, then goods, then people. Whoever had it the other way round could wait in a ring with somebody who saves an order.

-- Another day for an animal moves the order that has it. Locked by themselves first: what is written is worked out after the wait, not before.
create or replace function follow_animal_with_day() returns trigger language plpgsql as $$
declare
  of_animal bigint[] := array(
    select o.id from order_lines l join orders o on o.id = l.order_id
    where l.product_id = new.id and o.status in ('placed', 'processing', 'on_delivery'));
begin
  perform 1 from orders where id = any(of_animal) order by id for update;
  update orders o set animals_on = day_of_animals(o.id)
  where o.id = any(of_animal) and o.status in ('placed', 'processing', 'on_delivery');
  return null;
end $$;

-- A guest who becomes part of an account: as before, with the orders of both before the two people.
create or replace function join_guest(guest bigint, account bigint) returns void
language plpgsql as $$
declare
  pointer record;
begin
  perform 1 from orders where customer_id in (guest, account) order by id for update;
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
