-- The shop's own pages find their categories by a key, so that an owner can rename them.
alter table categories add column key text unique check (key in ('home', 'beef', 'fruits', 'kurbani'));

-- Every database gets the four. A category with the specified name and delivery group receives its key; a missing one is created,
-- with the specified id where it is free (1 home, 2 beef, 3 fruits), at the end of the list.
do $$
declare
  entry record;
  found_id integer;
  free_slug text;
  sequence text := pg_get_serial_sequence('categories', 'id');
begin
  for entry in
    select * from (values
      ('home', 1, 'home', 'Home listing', 'সব পণ্য', 'Everything the farm sells', null, true, null),
      ('beef', 2, 'beef', 'Beef', 'মাংসের গরু', 'Beef cattle by live weight', 'cattle', false, 2),
      ('fruits', 3, 'fruits', 'Fruits', 'ফল', 'Fruit of the season, by weight', 'produce', true, null),
      ('kurbani', 4, 'kurbani-cow', 'Kurbani Cow', 'কোরবানির গরু', 'Cows and bulls for Eid-ul-Adha', 'cattle', false, 4)
    ) as w (key, id, slug, name_en, name_bn, description, delivery_group, cod_allowed, final_weighing_days)
    order by w.id
  loop
    select c.id into found_id from categories c
      where c.key is null and lower(btrim(c.name_en)) = lower(entry.name_en)
        and (entry.delivery_group is null or c.delivery_group = entry.delivery_group)
      order by c.is_protected desc, c.id limit 1;
    if found_id is not null then
      update categories set key = entry.key where id = found_id;
      continue;
    end if;
    select s into free_slug from (
      select case n when 1 then entry.slug else entry.slug || '-' || n end as s, n from generate_series(1, 1000) n) slugs
      where not exists (select 1 from categories c where c.slug = s) order by n limit 1;
    insert into categories (id, key, slug, name_en, name_bn, description, delivery_group, cod_allowed, final_weighing_days, priority)
    values (
      case when exists (select 1 from categories c where c.id = entry.id)
        then (select greatest(max(c.id), 4) + 1 from categories c) else entry.id end,
      entry.key, free_slug, entry.name_en, entry.name_bn, entry.description, coalesce(entry.delivery_group, 'produce'),
      entry.cod_allowed, entry.final_weighing_days, (select coalesce(max(c.priority), 0) + 1 from categories c));
  end loop;
  -- Ids were given, so the next category must start behind them, and never at the id of a deleted one.
  perform setval(sequence, greatest((select max(id) from categories), coalesce(pg_sequence_last_value(sequence::regclass), 1)));
end $$;

-- A category is protected when it has a key.
alter table categories drop column is_protected;
