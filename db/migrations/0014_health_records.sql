-- What an animal's public card says of its health: vaccinations, treatments, a vet's look at it.
create table health_records (
  id bigint generated always as identity primary key,
  product_id bigint not null references products on delete cascade,
  on_day date not null,
  kind text not null check (kind in ('vaccination', 'deworming', 'check', 'treatment')),
  what_en text not null default '' check (length(what_en) <= 255),
  what_bn text not null default '' check (length(what_bn) <= 255),
  vet text not null default '' check (length(vet) <= 255),
  -- A photograph of the paper.
  image_id bigint references images,
  constraint says_something check (btrim(what_en || what_bn) <> '')
);
create index health_records_product on health_records (product_id, on_day desc, id desc);
