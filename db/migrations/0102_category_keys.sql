-- The shop's own pages find their categories by a key, so that an owner can rename them.
alter table categories add column key text unique check (key in ('home', 'beef', 'fruits', 'kurbani'));

-- Every database gets the four. A category with the specified name and delivery group receives its key; a missing one is created,
-- with the specified id where it is free (1 home, 2 beef, 3 fruits), at the end of the list.
do $$
declare
  wanted record;
  found_id integer;
  free_slug text;
begin
  for wanted in
    select * from (values
      ('home', 1, 'home', 'Home listing', 'সব পণ্য', 'Everything the farm sells', null, true, null),
      ('beef', 2, 'beef', 'Beef', 'মাংসের গরু', 'Beef cattle by live weight', 'cattle', false, 2),
      ('fruits', 3, 'fruits', 'Fruits', 'ফল', 'Fruit of the season, by weight', 'produce', true, null),
      ('kurbani', 4, 'kurbani-cow', 'Kurbani Cow', 'কোরবানির গরু', 'Cows and bulls for Eid-ul-Adha', 'cattle', false, 4)
    ) as w (key, id, slug, name_en, name_bn, description, delivery_group, cod_allowed, final_weighing_days)
    order by w.id
  loop
    select c.id into found_id from categories c
      where c.key is null and lower(btrim(c.name_en)) = lower(wanted.name_en)
        and (wanted.delivery_group is null or c.delivery_group = wanted.delivery_group)
      order by c.is_protected desc, c.id limit 1;
    if found_id is not null then
      update categories set key = wanted.key where id = found_id;
      continue;
    end if;
    select s into free_slug from (
      select case n when 1 then wanted.slug else wanted.slug || '-' || n end as s, n from generate_series(1, 1000) n) slugs
      where not exists (select 1 from categories c where c.slug = s) order by n limit 1;
    insert into categories (id, key, slug, name_en, name_bn, description, delivery_group, cod_allowed, final_weighing_days, priority)
    values (
      case when exists (select 1 from categories c where c.id = wanted.id)
        then (select greatest(max(c.id), 4) + 1 from categories c) else wanted.id end,
      wanted.key, free_slug, wanted.name_en, wanted.name_bn, wanted.description, coalesce(wanted.delivery_group, 'produce'),
      wanted.cod_allowed, wanted.final_weighing_days, (select coalesce(max(c.priority), 0) + 1 from categories c));
  end loop;
  -- Ids were given, so the next category must start behind them.
  perform setval(pg_get_serial_sequence('categories', 'id'), (select max(id) from categories));
end $$;

-- A category is protected when it has a key.
alter table categories drop column is_protected;
