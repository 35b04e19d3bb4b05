-- Where customers have things brought, and the coupons they have been given.
create table addresses (
  id bigint generated always as identity primary key,
  customer_id bigint not null references users on delete cascade,
  name name_text not null,
  -- Empty: the account's own number is called.
  phone text not null default '' check (phone = '' or phone ~ '^01[3-9][0-9]{8}$'),
  alternate_phone short_text not null default '',
  address name_text not null,
  landmark short_text not null default '',
  note short_text not null default '',
  area_id integer not null references areas,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index addresses_customer on addresses (customer_id, id);
create unique index addresses_default on addresses (customer_id) where is_default;
create index addresses_area on addresses (area_id);

create domain coupon_code as text check (value ~ '^[A-Z0-9][A-Z0-9_-]{2,31}$');

create table coupons (
  id bigint generated always as identity primary key,
  code coupon_code not null unique,
  kind text not null check (kind in ('percentage', 'free_shipping', 'others')),
  percent_bp percent_bp not null default 0,
  -- Taka off (others), or the delivery charge that is left (free_shipping).
  value_poisha price not null default 0,
  -- Null: no cap.
  max_discount_poisha bigint check (max_discount_poisha > 0),
  scope text not null default 'all' check (scope in ('all', 'products', 'categories')),
  min_subtotal_poisha amount not null default 0,
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses integer check (max_uses > 0),
  max_uses_per_customer integer check (max_uses_per_customer > 0),
  first_order_only boolean not null default false,
  active boolean not null default true,
  note short_text not null default '',
  -- How many uses count now: the rows of coupon_uses that have not been given back.
  uses integer not null default 0 check (uses >= 0),
  -- Grows when the terms change, so that an order worked out from old terms is noticed.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint coupon_gives_something check (case kind
    when 'percentage' then percent_bp > 0 and value_poisha = 0
    when 'others' then value_poisha > 0 and percent_bp = 0
    else percent_bp = 0 end),
  constraint only_percentages_are_capped check (kind = 'percentage' or max_discount_poisha is null),
  constraint ends_after_it_starts check (ends_at > starts_at),
  constraint uses_within_the_limit check (uses <= max_uses)
);

create table coupon_products (
  coupon_id bigint not null references coupons on delete cascade,
  product_id bigint not null references products on delete cascade,
  primary key (coupon_id, product_id)
);
create index coupon_products_product on coupon_products (product_id);

create table coupon_categories (
  coupon_id bigint not null references coupons on delete cascade,
  category_id integer not null references categories on delete cascade,
  primary key (coupon_id, category_id)
);
create index coupon_categories_category on coupon_categories (category_id);

-- At most one coupon an order. A use is given back when its order is cancelled.
create table coupon_uses (
  order_id bigint primary key references orders on delete cascade,
  coupon_id bigint not null references coupons,
  customer_id bigint not null references users,
  -- As it was when the order was placed: coupons may be renamed.
  code coupon_code not null,
  discount_poisha amount not null,
  delivery_saved_poisha amount not null,
  at timestamptz not null,
  freed_at timestamptz
);
create index coupon_uses_customer on coupon_uses (coupon_id, customer_id) where freed_at is null;
create index coupon_uses_person on coupon_uses (customer_id);
