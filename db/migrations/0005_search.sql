-- The search box, asked at every few letters that anybody types: one round trip, the answer ready to be sent.
-- `patterns` are LIKE patterns of the words; an exact barcode or tag comes first. Null when nothing is found.
create function search_answer(patterns text[], term text, lang text, most int) returns text
language plpgsql stable as $$
declare
  ids bigint[];
begin
  -- A scanned barcode: nothing else can be meant.
  if term ~ '^[0-9]{8,}$' then
    ids := array(select id from products where visible and barcode = term);
  end if;
  -- Planned anew for each term: a common word is soon met along the shelf, a rare one is looked up in the index of letters.
  if coalesce(cardinality(ids), 0) = 0 then
    execute 'select array(select id from products where visible and '
      || (select string_agg(format('search_text like %L', pattern), ' and ') from unnest(patterns) pattern)
      || ' order by shelf_rank, id limit ' || most || ')' into ids;
  end if;
  if cardinality(ids) = 0 then
    return null;
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
