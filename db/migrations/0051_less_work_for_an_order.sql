-- Less to prepare for each statement that writes orders. A generated column's expression is read from text and planned anew each time, and
-- the sound of a name is eighteen replacements: both columns are now written by the trigger that looks at the customer anyway, and whoever is called as
-- the customer is has the sound of his name there already. No row is rewritten.
alter table orders alter column name_sounds drop expression, alter column spent_poisha drop expression;

create function orders_before_write() returns trigger
language plpgsql as $$
declare
  customer record;
begin
  if tg_op = 'INSERT' then
    -- Whoever orders with the phone of a customer that was joined to another orders as the kept one. The lock is the one that the foreign key
    -- takes anyway: an order that is placed during the merge waits for it.
    select u.merged_into, u.name, u.name_sounds into customer from users u where u.id = new.customer_id for key share;
    new.customer_id := coalesce(customer.merged_into, new.customer_id);
    new.name_sounds := case when customer.name = new.name then customer.name_sounds else to_tsvector('simple', name_sound(new.name)) end;
  elsif old.name <> new.name then
    new.name_sounds := to_tsvector('simple', name_sound(new.name));
  end if;
  -- Its price as the final weighing settled it, less what went back; giving back what was paid too much takes nothing off.
  new.spent_poisha := greatest(0, new.total_poisha + new.settled_poisha
    - greatest(0, new.refunded_poisha - greatest(0, new.paid_poisha + new.refunded_poisha - new.total_poisha)));
  return new;
end $$;
drop trigger orders_kept_customer on orders;
drop function order_of_kept_customer();
create trigger orders_insert before insert on orders for each row execute function orders_before_write();
create trigger orders_change before update of name, total_poisha, paid_poisha, refunded_poisha, settled_poisha, name_sounds, spent_poisha on orders
  for each row execute function orders_before_write();

-- The messages of an order are looked for by the order: one index that begins with it does both.
alter table sms_outbox drop constraint sms_outbox_purpose_order_id_template_phone_key;
drop index sms_outbox_order;
alter table sms_outbox add constraint sms_outbox_purpose_order_id_template_phone_key unique (order_id, purpose, template, phone);
