-- The day an order goes out is that of its list, or of its animals where that is later: a cow that is booked weeks before its season.
-- Kept with the order, so that lists, counts and messages ask one column.
drop index orders_list;
drop index orders_due;
drop index orders_due_status;
alter table orders add column animals_on date;
alter table orders add column deliver_on date not null generated always as (greatest(list_on, animals_on)) stored;
create index orders_day on orders (deliver_on, placed_at, id) include (status, area_id);
create index orders_due on orders (placed_at, id) include (area_id, status, source, deliver_on, customer_id)
  where paid_poisha < total_poisha and status not in ('cancelled', 'returned');
create index orders_due_status on orders (status, placed_at, id) include (area_id, source, deliver_on, customer_id)
  where paid_poisha < total_poisha::bigint and status not in ('cancelled', 'returned');

-- Of one area there are few among all that owe: counted by themselves, not picked out of the others.
create index orders_due_area on orders (area_id, placed_at, id) include (status, source, deliver_on, customer_id)
  where paid_poisha < total_poisha and status not in ('cancelled', 'returned');

-- The last day that an animal of an order has of its own. The day of other goods says when they can be had next, and moves no order.
create function day_of_animals(of_order bigint) returns date language sql stable as $$
  select max(p.delivery_on) from order_lines l join products p on p.id = l.product_id where l.order_id = of_order and p.is_unique
$$;

update orders o set animals_on = day_of_animals(o.id)
where o.status in ('placed', 'processing', 'on_delivery')
  and o.id in (select l.order_id from products p join order_lines l on l.product_id = p.id where p.is_unique and p.delivery_on is not null);

create function follow_lines_with_day() returns trigger language plpgsql as $$
declare
  changed bigint := coalesce(new.order_id, old.order_id);
  day date := day_of_animals(changed);
begin
  update orders set animals_on = day where id = changed and animals_on is distinct from day;
  return null;
end $$;
-- Only lines with a tag are of animals: for others nothing is asked.
create trigger order_lines_added_day after insert on order_lines for each row when (new.tag_number is not null)
  execute function follow_lines_with_day();
create trigger order_lines_taken_day after delete on order_lines for each row when (old.tag_number is not null)
  execute function follow_lines_with_day();

-- Another day for an animal moves the order that has it, and no order that is over.
create function follow_animal_with_day() returns trigger language plpgsql as $$
begin
  update orders o set animals_on = day_of_animals(o.id)
  where o.id in (select l.order_id from order_lines l where l.product_id = new.id) and o.status in ('placed', 'processing', 'on_delivery');
  return null;
end $$;
create trigger products_day after update of delivery_on on products for each row
  when (new.is_unique and old.delivery_on is distinct from new.delivery_on) execute function follow_animal_with_day();

-- What is opened again goes out on the day that its animals have by then.
create function follow_reopening_with_day() returns trigger language plpgsql as $$
begin
  new.animals_on := day_of_animals(new.id);
  return new;
end $$;
create trigger orders_reopened before update of status on orders for each row
  when (old.status not in ('placed', 'processing', 'on_delivery') and new.status in ('placed', 'processing', 'on_delivery'))
  execute function follow_reopening_with_day();
