-- Words that staff attach to orders (features/orders/tags).
create table order_tags (
  order_id bigint not null references orders (id) on delete cascade,
  -- In lower case, without spaces at its ends.
  tag text not null,
  constraint order_tags_pkey primary key (order_id, tag),
  constraint order_tags_tag check (length(tag) between 1 and 30 and tag = btrim(lower(tag)))
);
create index order_tags_tag on order_tags (tag, order_id);
