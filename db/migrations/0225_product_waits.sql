-- People who are told once by SMS when a product can be ordered again. A row is deleted as its message is queued.
create table product_waits (
  id bigint generated always as identity primary key,
  product_id bigint not null references products (id) on delete cascade,
  phone mobile_phone not null,
  lang text not null,
  created_at timestamptz not null default now(),
  constraint product_waits_once unique (product_id, phone),
  constraint product_waits_phone_given check (phone <> ''),
  constraint product_waits_lang check (lang in ('en', 'bn'))
);
create index product_waits_phone on product_waits (phone);
