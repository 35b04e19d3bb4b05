-- An order moves no stock of a product that is not counted. Once staff began to count such a product, its earlier orders had no movements: what
-- came back from them was not in stock again, and editing them took their whole quantity a second time.
create function record_uncounted_movements(for_product bigint) returns void language sql as $$
  insert into stock_movements (product_id, order_id, delta_milli, reason, at)
  select for_product, m.order_id, m.milli, case when m.milli < 0 then 'ordered' else 'freed' end, case when m.milli < 0 then o.placed_at else now() end
  from (
    select order_id, -sum(milli)::bigint as milli from (
      select l.order_id, l.quantity_milli - coalesce((select sum(b.quantity_milli) from pos_returns r join pos_return_lines b on b.return_id = r.id
        where r.order_id = l.order_id and b.product_id = l.product_id), 0) as milli
      from order_lines l join orders s on s.id = l.order_id where l.product_id = for_product and s.status not in ('cancelled', 'returned')
      union all
      select order_id, delta_milli from stock_movements where product_id = for_product and order_id is not null) held
    group by order_id) m
  join orders o on o.id = m.order_id
  where m.milli <> 0 order by m.order_id
$$;

comment on function record_uncounted_movements is
  'Adds the movements that the orders of a product lack, because it was not counted when they changed. The stock stays. The product must be locked.';

select record_uncounted_movements(id) from products where stock_milli is not null and not is_unique;
