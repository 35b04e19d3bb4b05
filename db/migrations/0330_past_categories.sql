-- The categories that products had before. Reports of past days read them: a product that moves to another category does not take its sales along.
create table past_categories (
  product_id bigint not null references products on delete cascade,
  category_id integer not null,
  until timestamptz not null,
  primary key (product_id, until)
);

create function record_past_category() returns trigger language plpgsql as $$
begin
  insert into past_categories (product_id, category_id, until) values (old.id, old.category_id, clock_timestamp()) on conflict do nothing;
  return null;
end $$;
comment on function record_past_category is 'Records the category that a product had until now.';

create trigger products_past_category after update of category_id on products
  for each row when (old.category_id <> new.category_id) execute function record_past_category();

create function category_at(p products, at timestamptz) returns integer language sql stable parallel safe
return coalesce((select c.category_id from past_categories c where c.product_id = p.id and c.until > at order by c.until limit 1), p.category_id);
comment on function category_at is 'The category that a product had at a time.';
