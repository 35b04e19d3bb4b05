-- Unfinished orders by phone, as typed (features/orders/drafts). A draft holds no stock.
create table order_drafts (
  id bigint generated always as identity primary key,
  form jsonb not null,
  -- The typed phone, normalized; null while it is none.
  phone mobile_phone,
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  updated_by bigint not null references users (id),
  updated_at timestamptz not null,
  version integer not null default 1,
  constraint order_drafts_form check (jsonb_typeof(form) = 'object')
);
create index order_drafts_updated on order_drafts (updated_at, id);
create index order_drafts_phone on order_drafts (phone) where phone is not null;
