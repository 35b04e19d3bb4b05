-- A sale whose products were handed over at the counter: of the POS, with neither address nor collection. It has no delivery, though the order
-- has a list day as all have.
create function is_over_counter(o orders) returns boolean language sql immutable parallel safe
return o.source = 'pos' and o.address = '' and not o.is_collection;

-- Whether an order takes a place of its delivery days. Unpaid orders hold their place; collected, ended and handed-over ones have none.
create function takes_delivery_place(o orders) returns boolean language sql immutable parallel safe
return not o.is_collection and not is_over_counter(o) and o.status not in ('cancelled', 'returned');

create or replace function count_deliveries_on(day date, of_group text, max integer) returns integer language sql stable as $$
  select count(*)::integer from (
    select 1 from orders o where (o.deliver_on = day
        or (o.deliveries = 2 and o.deliver_on > day and o.list_on <= day and first_delivery_on(o) = day))
      and takes_delivery_place(o)
      and exists (select 1 from order_lines l join products p on p.id = l.product_id join categories c on c.id = p.category_id
        where l.order_id = o.id and c.delivery_group = of_group and line_delivery_on(o, l.delivery_on) = day)
    limit max) taken
$$;
