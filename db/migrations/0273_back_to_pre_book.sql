-- A pre-booked product whose last unit was ordered is pre-booked again when an order gives some back before it was sent, such as an unpaid one
-- that expires. It came back as in stock.
alter table products add column sold_out_as text,
  add constraint products_sold_out_as check (sold_out_as is null or (sold_out_as = 'pre-book' and status = 'out-of-stock'));

create or replace function watch_product_columns() returns void language plpgsql as $$
declare
  -- Derived by triggers, or changed without a new version.
  hidden constant text[] := array['id', 'stock_milli', 'search_text', 'version', 'created_at', 'updated_at', 'availability_rank', 'archived_at',
    'is_low_stock', 'changed_xid', 'sold_out_as'];
  watched text;
  is_changed text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum),
    string_agg(format('old.%1$I is distinct from new.%1$I', attname), ' or ' order by attnum)
  into watched, is_changed from pg_attribute
  where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attname <> all (hidden);
  drop trigger if exists products_change on products;
  drop trigger if exists products_shown_change on products;
  execute format('create trigger products_change before update of %s on products for each row when (%s)
    execute function set_product_derived_columns()', watched, is_changed);
  execute format('create trigger products_shown_change after update of %s on products for each row when (old.version <> new.version)
    execute function notify_catalog_changed()', watched);
end $$;

create function set_sold_out_as() returns trigger language plpgsql as $$
begin
  new.sold_out_as := case when not new.is_unique and old.status = 'pre-book' and new.status = 'out-of-stock' then 'pre-book' end;
  return new;
end $$;
create trigger products_sold_out before update of status on products for each row when (old.status is distinct from new.status)
  execute function set_sold_out_as();

create or replace function move_stock(moves jsonb) returns void language plpgsql as $$
begin
  if coalesce(jsonb_array_length(moves), 0) = 0 then
    return;
  end if;
  insert into stock_movements (product_id, order_id, delta_milli, reason)
  select (m.move ->> 'product_id')::bigint, (m.move ->> 'order_id')::bigint, (m.move ->> 'delta_milli')::bigint, m.move ->> 'reason'
  from jsonb_array_elements(moves) with ordinality as m(move, n)
  where (m.move ->> 'delta_milli')::bigint <> 0 order by (m.move ->> 'product_id')::bigint, m.n;

  update products p set
    stock_milli = case when m.movement = 'count' then m.count_milli else p.stock_milli + m.delta_milli end,
    (status, hold_reason) = (select
      case when s.status = 'in-stock' and m.movement = 'release' and (p.delivery_on > (now() at time zone 'Asia/Dhaka')::date) is not false
        then coalesce(p.sold_out_as, s.status) else s.status end, s.hold_reason
      from next_product_state(m.movement, p.is_unique, p.status, p.hold_reason,
        case when m.movement = 'count' then m.count_milli else p.stock_milli + m.delta_milli end) s)
  from (
    select (e.move ->> 'product_id')::bigint as product_id, coalesce(sum((e.move ->> 'delta_milli')::bigint), 0)::bigint as delta_milli,
      (array_agg(e.move ->> 'movement' order by e.n desc))[1] as movement, max((e.move ->> 'count_milli')::bigint) as count_milli
    from jsonb_array_elements(moves) with ordinality as e(move, n) group by 1
  ) m where p.id = m.product_id;

  delete from animal_holds h using jsonb_to_recordset(moves) as m(product_id bigint, movement text, order_id bigint)
  where h.product_id = m.product_id and h.order_id = m.order_id and m.movement in ('release', 'return');
  delete from returned_animals r using jsonb_to_recordset(moves) as m(product_id bigint, movement text)
  where r.product_id = m.product_id and m.movement in ('reserve', 'write-off', 'unhold');
  insert into animal_holds (product_id, order_id)
  select p.id, m.order_id from jsonb_to_recordset(moves) as m(product_id bigint, movement text, order_id bigint)
  join products p on p.id = m.product_id where p.is_unique and m.movement = 'reserve';
  insert into returned_animals (product_id, order_id)
  select p.id, m.order_id from jsonb_to_recordset(moves) as m(product_id bigint, movement text, order_id bigint)
  join products p on p.id = m.product_id where p.is_unique and p.hold_reason = 'returned' and m.movement = 'return'
  on conflict (product_id) do update set order_id = excluded.order_id, returned_at = now(), is_ill = false, note = '';
end $$;
