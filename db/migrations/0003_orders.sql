-- Orders, the stock they take, the money they are owed, and what was said to the customer.
create domain order_source as text check (value in ('web', 'legacy', 'admin', 'pos'));
create domain order_status as text
  check (value in ('placed', 'processing', 'on_delivery', 'delivered', 'completed', 'cancelled', 'returned'));
create domain lang_code as text check (value in ('en', 'bn'));
create domain payment_type as text check (value in ('full', 'partial', 'cash_on_delivery'));
create domain payment_gateway as text check (value in ('NONE', 'sslcommerz', 'bkash'));

create table orders (
  id bigint generated always as identity (start with 1001) primary key,
  source order_source not null default 'web',
  status order_status not null default 'placed',
  reason text,
  customer_id bigint not null references users,
  name name_text not null,
  phone mobile_phone not null,
  email short_text not null default '',
  alternate_phone short_text not null default '',
  address short_text not null,
  landmark short_text not null default '',
  note short_text not null default '',
  area_id integer references areas,
  lang lang_code not null default 'en',
  subtotal_poisha amount not null,
  shipping_poisha amount not null,
  discount_poisha amount not null,
  total_poisha amount not null,
  payment_type payment_type not null,
  payment_gateway payment_gateway not null,
  payable_poisha bigint not null check (payable_poisha between 0 and total_poisha),
  is_free_order boolean not null default false,
  list_on date not null,
  placed_at timestamptz not null,
  -- Unpaid by then: the order is cancelled and its stock freed.
  expires_at timestamptz,
  needs_attention text,
  -- sha256 of the secret kept by the browser that placed it, and of the key in the SMS link.
  browser_hash bytea,
  view_key text not null,
  tracking_code text not null unique,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint total_adds_up check (total_poisha = subtotal_poisha + shipping_poisha - discount_poisha),
  constraint free_means_nothing_to_pay check (not is_free_order or total_poisha = 0),
  constraint ended_has_reason check (status not in ('cancelled', 'returned') or btrim(coalesce(reason, '')) <> '')
);
create index orders_customer on orders (customer_id, id desc);
create index orders_status on orders (status, id desc);
create index orders_list on orders (list_on, id);
create index orders_expiry on orders (expires_at) where expires_at is not null and status = 'placed';
create index orders_attention on orders (id) where needs_attention is not null;

create table order_lines (
  order_id bigint not null references orders on delete cascade,
  position smallint not null,
  product_id bigint not null references products,
  name_en text not null,
  name_bn text not null,
  unit text not null,
  quantity_milli bigint not null check (quantity_milli > 0),
  base_price_poisha amount not null,
  price_poisha bigint not null check (price_poisha between 0 and base_price_poisha),
  line_total_poisha amount not null,
  advance_poisha amount not null default 0,
  tag_number text,
  -- An animal by live weight: the weight and the rate it was booked at.
  booked_grams integer,
  booked_rate_poisha bigint,
  primary key (order_id, position),
  unique (order_id, product_id)
);
create index order_lines_product on order_lines (product_id, order_id);

-- At most one live order an animal: the row is the claim, and goes when the order lets the animal go.
create table animal_claims (
  product_id bigint primary key references products,
  order_id bigint not null references orders
);
create index animal_claims_order on animal_claims (order_id);

create table stock_movements (
  id bigint generated always as identity primary key,
  product_id bigint not null references products,
  order_id bigint references orders,
  delta_milli bigint not null check (delta_milli <> 0),
  reason text not null check (reason in ('ordered', 'freed', 'counted', 'received')),
  at timestamptz not null default now()
);
create index stock_movements_product on stock_movements (product_id, id);
create index stock_movements_order on stock_movements (order_id);

create table order_events (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders on delete cascade,
  at timestamptz not null default now(),
  actor_id bigint references users,
  actor text not null check (actor in ('customer', 'staff', 'system', 'gateway')),
  kind text not null,
  from_status text,
  to_status text,
  detail jsonb not null default '{}'
);
create index order_events_order on order_events (order_id, id);

-- The ledger: due = total - sum of these rows. Rows are only ever added.
create table ledger_entries (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  kind text not null check (kind in ('advance', 'gateway', 'cash_on_delivery', 'counter', 'settlement', 'refund')),
  method text not null,
  amount_poisha bigint not null check (amount_poisha <> 0),
  -- The provider's own transaction id: counted once, whatever is repeated.
  reference text,
  actor_id bigint references users,
  at timestamptz not null default now(),
  unique (method, reference)
);
create index ledger_entries_order on ledger_entries (order_id, id);

create table payment_attempts (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  gateway text not null check (gateway in ('sslcommerz', 'bkash')),
  tran_id text not null unique check (length(tran_id) <= 30),
  amount_poisha bigint not null check (amount_poisha > 0),
  state text not null default 'initiated' check (state in ('initiated', 'pending', 'paid', 'failed', 'expired', 'review')),
  gateway_ref text,
  redirect_url text,
  gateway_txn text,
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payment_attempts_order on payment_attempts (order_id, id);
create index payment_attempts_open on payment_attempts (created_at) where state in ('initiated', 'pending');
create unique index payment_attempts_ref on payment_attempts (gateway, gateway_ref) where gateway_ref is not null;

create table gateway_events (
  gateway text not null,
  event_id text not null,
  attempt_id bigint references payment_attempts,
  outcome text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  primary key (gateway, event_id)
);

-- A bank, bKash or Nagad transfer that the shopper reports and the staff verify.
create table advance_claims (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  method text not null check (method in ('bank', 'bkash', 'nagad')),
  transaction_id text not null check (transaction_id ~ '^[A-Z0-9-]{6,40}$'),
  sender text not null default '' check (length(sender) <= 255),
  amount_poisha bigint not null check (amount_poisha > 0),
  state text not null default 'waiting' check (state in ('waiting', 'verified', 'refused')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references users,
  unique (method, transaction_id)
);
create index advance_claims_order on advance_claims (order_id);
create index advance_claims_waiting on advance_claims (created_at) where state = 'waiting';

create table idempotency_keys (
  key text primary key check (length(key) between 8 and 255),
  request_hash bytea not null,
  order_id bigint references orders,
  created_at timestamptz not null default now()
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table sms_outbox (
  id bigint generated always as identity primary key,
  purpose text not null,
  order_id bigint references orders,
  template text not null,
  phone text not null,
  body text not null check (length(body) <= 1000),
  state text not null default 'queued' check (state in ('queued', 'sending', 'submitted', 'failed', 'unknown')),
  attempts smallint not null default 0,
  not_before timestamptz not null default now(),
  provider_ref text,
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (purpose, order_id, template, phone)
);
create index sms_outbox_queue on sms_outbox (not_before, id) where state in ('queued', 'sending');

create table kurbani_bookings (
  id bigint generated always as identity primary key,
  name text not null check (btrim(name) <> '' and length(name) <= 255),
  email text not null default '' check (length(email) <= 255),
  phone text not null check (phone ~ '^01[3-9][0-9]{8}$'),
  district text not null default '' check (length(district) <= 255),
  thana text not null default '' check (length(thana) <= 255),
  price_range text not null,
  weight text not null default '' check (length(weight) <= 255),
  state text not null default 'new' check (state in ('new', 'called', 'matched', 'closed')),
  created_at timestamptz not null default now()
);
create index kurbani_bookings_state on kurbani_bookings (state, id desc);
create index kurbani_bookings_phone on kurbani_bookings (phone, created_at);
