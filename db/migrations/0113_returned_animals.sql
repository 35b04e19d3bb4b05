-- An animal that left the farm and came back is on hold, reason 'returned', until staff release it. Its row here names the order.
create table returned_animals (
  product_id bigint primary key references products on delete cascade,
  order_id bigint not null references orders on delete cascade,
  returned_at timestamptz not null default now(),
  -- Examined and ill: still on hold.
  is_ill boolean not null default false,
  note short_text not null default ''
);
create index returned_animals_order on returned_animals (order_id);

alter table products drop constraint products_hold_reason_check;
alter table products add constraint products_hold_reason_check check (hold_reason in ('booked', 'soon', 'returned'));

-- Frees animals of an order that went out as returned ones.
create or replace function settle_stock(for_order bigint, wanted jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  line record;
  refused jsonb := '[]';
  left_farm boolean := (select status in ('on_delivery', 'delivered', 'completed') from orders where id = for_order);
begin
  perform 1 from products where id in (
    select w.product_id from jsonb_to_recordset(wanted) as w(product_id bigint)
    union select product_id from stock_movements where order_id = for_order) order by id for update;
  for line in select * from stock_changes(for_order, wanted) loop
    if line.is_new and (not line.visible or line.status not in ('in-stock', 'pre-book')) then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.is_unique and (line.stock_milli < line.more_milli or (line.status not in ('in-stock', 'pre-book')
      -- A reopened order takes back its own animal that came back and is not released.
      and not exists (select 1 from returned_animals r where r.product_id = line.product_id and r.order_id = for_order and not r.is_ill))) then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.stock_milli < line.more_milli then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-enough', 'left_milli', line.stock_milli);
    end if;
  end loop;
  if jsonb_array_length(refused) > 0 then
    return refused;
  end if;
  for line in select * from stock_changes(for_order, wanted) where more_milli <> 0 loop
    insert into stock_movements (product_id, order_id, delta_milli, reason)
    values (line.product_id, for_order, -line.more_milli, case when line.more_milli > 0 then 'ordered' else 'freed' end);
    if line.more_milli > 0 then
      update products set
        stock_milli = stock_milli - line.more_milli,
        status = case when is_unique then 'hold' when stock_milli = line.more_milli then 'out-of-stock' else status end,
        hold_reason = case when is_unique then 'booked' else hold_reason end
      where id = line.product_id;
    else
      update products set
        stock_milli = stock_milli - line.more_milli,
        status = case when is_unique and left_farm then 'hold' when is_unique or (status = 'out-of-stock' and stock_milli = 0) then 'in-stock' else status end,
        hold_reason = case when is_unique and left_farm then 'returned' when is_unique then null else hold_reason end
      where id = line.product_id;
    end if;
    if line.is_unique and line.more_milli > 0 then
      delete from returned_animals where product_id = line.product_id;
      insert into animal_claims (product_id, order_id) values (line.product_id, for_order);
    elsif line.is_unique then
      delete from animal_claims where product_id = line.product_id and order_id = for_order;
      if left_farm then
        insert into returned_animals (product_id, order_id) values (line.product_id, for_order)
        on conflict (product_id) do update set order_id = excluded.order_id, returned_at = now(), is_ill = false, note = '';
      end if;
    end if;
  end loop;
  return null;
end $function$;
