-- Orders as the office works on them: what only the staff read, and stock that follows every change.
alter table orders add column remarks text not null default '' check (length(remarks) <= 1000);

-- Brings what is out for an order to what it now holds, [{product_id, quantity_milli, is_new}]: takes more, gives back what is too much,
-- nothing twice. All or nothing: answers null, or the lines that cannot be had, and then has written nothing.
-- Goods that are new in the order must be for sale; of those it had before, only what is taken more must be there.
create function settle_stock(for_order bigint, wanted jsonb) returns jsonb
language plpgsql as $$
declare
  line record;
  refused jsonb := '[]';
begin
  perform 1 from products where id in (
    select w.product_id from jsonb_to_recordset(wanted) as w(product_id bigint)
    union select product_id from stock_movements where order_id = for_order) order by id for update;
  for line in select * from stock_changes(for_order, wanted) loop
    if line.is_new and (not line.visible or line.status not in ('in-stock', 'pre-book')) then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.is_unique and (line.status not in ('in-stock', 'pre-book') or line.stock_milli < line.more_milli) then
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
        status = case when is_unique or (status = 'out-of-stock' and stock_milli = 0) then 'in-stock' else status end,
        hold_reason = case when is_unique then null else hold_reason end
      where id = line.product_id;
    end if;
    if line.is_unique and line.more_milli > 0 then
      insert into animal_claims (product_id, order_id) values (line.product_id, for_order);
    elsif line.is_unique then
      delete from animal_claims where product_id = line.product_id and order_id = for_order;
    end if;
  end loop;
  return null;
end $$;

-- Each product an order holds or shall hold, with how much more of it is to be taken (negative: to be given back). Uncounted goods move nothing.
create function stock_changes(for_order bigint, wanted jsonb)
returns table (product_id bigint, is_new boolean, visible boolean, status text, is_unique boolean, stock_milli bigint, more_milli bigint)
language sql stable as $$
  select p.id, coalesce(w.is_new, false), p.visible, p.status::text, p.is_unique, p.stock_milli::bigint,
    case when p.stock_milli is null then 0 else coalesce(w.milli, 0) - coalesce(o.milli, 0) end
  from (
    select l.product_id, bool_or(coalesce(l.is_new, false)) as is_new, sum(l.quantity_milli)::bigint as milli
    from jsonb_to_recordset(wanted) as l(product_id bigint, quantity_milli bigint, is_new boolean) group by l.product_id) w
  full join (
    select m.product_id, -sum(m.delta_milli)::bigint as milli from stock_movements m where m.order_id = for_order group by m.product_id) o
    on o.product_id = w.product_id
  join products p on p.id = coalesce(w.product_id, o.product_id)
  order by p.id
$$;
