-- Lists and the search are read from memory (docs/decisions/0049): each process keeps the order of what the shop shows, and asks what has
-- changed since. A change bears its transaction, for clocks and numbers say nothing about what was committed when.
alter table products add column changed_in xid8 not null default pg_current_xact_id();
create index products_changed on products (changed_in);

create or replace function products_before_write() returns trigger language plpgsql as $$
begin
  new.search_text := product_search_text(new);
  new.shelf_rank := case new.status when 'in-stock' then 0 when 'pre-book' then 1 when 'hold' then 2 when 'out-of-stock' then 3 else 4 end;
  new.few_left := coalesce(not new.is_unique and new.stock_milli <= 100000, false);
  new.changed_in := pg_current_xact_id();
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    new.version := old.version + 1;
  end if;
  return new;
end $$;

-- What is deleted bears nothing: then everything is read anew.
create table shelf_epoch (
  id integer primary key default 1 check (id = 1),
  epoch bigint not null default 0
);
insert into shelf_epoch default values;

create function products_deleted() returns trigger language plpgsql as $$
begin
  update shelf_epoch set epoch = epoch + 1;
  perform pg_notify('catalogue', '');
  return null;
end $$;
create trigger products_deleted after delete on products for each statement execute function products_deleted();
create trigger products_truncated after truncate on products for each statement execute function products_deleted();

-- Nothing reads these any more, and every animal that was ordered had to be written into each.
drop index products_shelf, products_price, products_price_down, products_category_shelf, products_category_price, products_category_price_down;

-- Rows of the search box, ready to be sent: what the shelf has found, an exact barcode or tag before it. Null when nothing is found.
drop function search_answer(text[], text, text, int);
create function search_rows(matches bigint[], term text, lang text, most int) returns text
language plpgsql stable as $$
declare
  ids bigint[] := matches;
begin
  -- A scanned barcode: nothing else can be meant.
  if term ~ '^[0-9]{8,}$' and exists (select 1 from products where visible and barcode = term) then
    ids := '{}';
  end if;
  return (
    select json_agg(json_build_object('id', f.id, 'name', f.name, 'product_type', f.name, 'price', f.price_poisha::float8 / 100, 'unit', f.unit,
        'status', f.status, 'images', coalesce(f.images, '[]'),
        -- What is not counted never runs out; the till wants a number all the same.
        'maxOrderQty', case when f.status in ('in-stock', 'pre-book') then coalesce(f.stock_milli::float8 / 1000, 9999) else 0 end,
        'shipping_cost', f.shipping_poisha::float8 / 100, 'barcode', f.barcode, 'tag_number', f.tag_number)
      order by f.is_exact desc, f.shelf_rank, f.id)
    from (
      select p.*, case lang when 'bn' then p.name_bn else p.name_en end as name,
        coalesce(p.barcode = term, false) or coalesce(p.tag_number = upper(term), false) as is_exact,
        (select json_agg(json_build_object('url', '/uploads/' || i.token || '-'
             || coalesce((select min(w) from unnest(i.widths) w where w >= 800), i.widths[cardinality(i.widths)]) || '.webp') order by m.position)
           from product_media m join images i on i.id = m.image_id where m.product_id = p.id) as images
      from products p
      where p.visible and (p.id = any(ids) or p.barcode = term or p.tag_number = upper(term))
      order by is_exact desc, p.shelf_rank, p.id limit most) f)::text;
end $$;
