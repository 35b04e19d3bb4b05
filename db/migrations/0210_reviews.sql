-- Reviews of delivered products by their buyers: one an order and product, shown once staff have published it. `product_ratings` has the
-- count and sum of the published ones, so that a product page adds up nothing.
create table reviews (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  product_id bigint not null references products (id),
  rating smallint not null,
  body text not null default '',
  shown_name text not null,
  state text not null default 'waiting',
  refusal text not null default '',
  answer text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  handled_by bigint references users (id),
  handled_at timestamptz,
  constraint reviews_order_product unique (order_id, product_id),
  constraint reviews_rating check (rating between 1 and 5),
  constraint reviews_body check (length(body) <= 1000),
  constraint reviews_shown_name check (btrim(shown_name) <> '' and length(shown_name) <= 60),
  constraint reviews_state check (state in ('waiting', 'published', 'refused')),
  constraint reviews_refusal check (length(refusal) <= 255 and (state = 'refused') = (refusal <> '')),
  constraint reviews_answer check (length(answer) <= 1000)
);
create index reviews_published on reviews (product_id, id desc) where state = 'published';
create index reviews_state on reviews (state, id desc);

create table review_pictures (
  review_id bigint not null references reviews (id) on delete cascade,
  position smallint not null,
  image_id bigint not null references images (id),
  constraint review_pictures_pkey primary key (review_id, position),
  constraint review_pictures_position check (position between 0 and 2)
);
create index review_pictures_image on review_pictures (image_id);

create table product_ratings (
  product_id bigint primary key references products (id) on delete cascade,
  review_count integer not null,
  rating_sum integer not null,
  constraint product_ratings_sum check (review_count >= 0 and rating_sum between review_count and 5 * review_count)
);

create function count_review() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'published' then
    update product_ratings set review_count = review_count - 1, rating_sum = rating_sum - old.rating where product_id = old.product_id;
  end if;
  if tg_op <> 'DELETE' and new.state = 'published' then
    insert into product_ratings (product_id, review_count, rating_sum) values (new.product_id, 1, new.rating)
    on conflict (product_id) do update set review_count = product_ratings.review_count + 1,
      rating_sum = product_ratings.rating_sum + excluded.rating_sum;
  end if;
  perform pg_notify('catalog', '');
  return null;
end $$;

create trigger reviews_count_new after insert on reviews for each row when (new.state = 'published') execute function count_review();
create trigger reviews_count_change after update on reviews for each row
  when (old.state = 'published' or new.state = 'published') execute function count_review();
create trigger reviews_count_deleted after delete on reviews for each row when (old.state = 'published') execute function count_review();
