-- An order that waits while its customer's personal data is erased goes to a new customer with the phone of the order: under the erased one no
-- later request of the person would find it.
create or replace function use_merged_customer() returns trigger language plpgsql as $$
declare
  kept bigint;
  known text;
begin
  select merged_into, phone into kept, known from users where id = new.customer_id for key share;
  if kept is not null then
    new.customer_id := kept;
    select phone into known from users where id = kept for key share;
  end if;
  -- The phone of an erased customer, see migration 0174.
  if known like '00%' then
    insert into users (name, phone) values (new.name, new.phone)
    on conflict (phone) do update set phone = excluded.phone returning id into new.customer_id;
  end if;
  return new;
end $$;
