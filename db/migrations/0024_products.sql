-- The office's list of products: what is put away, what runs low, and pictures that nothing shows.

-- Put away: never in the shop, still with its orders and its public card. Hidden and not put away: not published yet.
alter table products add column archived_at timestamptz;
alter table products add constraint archived_is_hidden check (archived_at is null or not visible);

-- Counted goods of which at most a hundred are left. The count itself may stand in no index, as every order changes it; this
-- changes once in a while, and leads the list of what runs low to its candidates.
alter table products add column few_left boolean not null default false;
update products set few_left = true where not is_unique and stock_milli <= 100000;

create or replace function products_before_write() returns trigger language plpgsql as $$
begin
  new.search_text := product_search_text(new);
  new.shelf_rank := case new.status when 'in-stock' then 0 when 'pre-book' then 1 when 'hold' then 2 when 'out-of-stock' then 3 else 4 end;
  new.few_left := coalesce(not new.is_unique and new.stock_milli <= 100000, false);
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    new.version := old.version + 1;
  end if;
  return new;
end $$;

create function products_few_left() returns trigger language plpgsql as $$
begin
  new.few_left := coalesce(not new.is_unique and new.stock_milli <= 100000, false);
  return new;
end $$;
create trigger products_few_left before update of stock_milli on products
  for each row when (not new.is_unique and (old.stock_milli <= 100000) is distinct from (new.stock_milli <= 100000))
  execute function products_few_left();

-- The list by each of its filters and in each of its orders.
create index products_office_category on products (category_id, id) include (status, is_unique, visible, archived_at);
create index products_office_status on products (status, id) include (category_id, is_unique, visible, archived_at);
create index products_office_kind on products (is_unique, id) include (category_id, status, visible, archived_at);
create index products_office_hidden on products (id) where not visible;
create index products_office_low on products (id) where few_left;
-- Those of the orders carry what is filtered by, so that filters that hardly meet read no products.
create index products_office_price on products (price_poisha, id) include (category_id, status, is_unique, visible, archived_at);
create index products_office_name_en on products (name_en, id) include (category_id, status, is_unique, visible, archived_at);
create index products_office_name_bn on products (name_bn, id) include (category_id, status, is_unique, visible, archived_at);
-- The shop's own searches read only what is visible; theirs are small, and so is this.
create index products_hidden_search on products using gin (search_text gin_trgm_ops) where not visible;

-- A film that was uploaded: its file is /uploads/{token}.mp4.
create table films (
  token text primary key check (token ~ '^[a-z0-9]{20,40}$'),
  bytes bigint not null check (bytes > 0),
  created_at timestamptz not null default now()
);

-- Who shows a picture or a film: what nobody shows is swept after a day.
create index product_media_image on product_media (image_id) where image_id is not null;
create index product_media_film on product_media (video_url) where video_url is not null;
create index weigh_ins_image on weigh_ins (image_id) where image_id is not null;
create index health_records_image on health_records (image_id) where image_id is not null;
create index popups_image on popups (image_id);
create index images_age on images (created_at);
