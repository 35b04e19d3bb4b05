-- A product gets a new version when any column changes that is shown or searched. The triggers name those columns, so that a change of
-- stock alone does not compare a row. A migration that adds a column to products calls watch_product_columns() at its end.
create function watch_product_columns() returns void language plpgsql as $$
declare
  -- Derived by triggers, or changed without a new version.
  hidden constant text[] := array['id', 'stock_milli', 'search_text', 'version', 'created_at', 'updated_at', 'availability_rank', 'archived_at',
    'is_low_stock', 'changed_xid'];
  watched text;
  is_changed text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum),
    string_agg(format('old.%1$I is distinct from new.%1$I', attname), ' or ' order by attnum)
  into watched, is_changed from pg_attribute
  where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attname <> all (hidden);
  drop trigger if exists products_change on products;
  drop trigger if exists products_shown_change on products;
  execute format('create trigger products_change before update of %s on products for each row when (%s)
    execute function set_product_derived_columns()', watched, is_changed);
  execute format('create trigger products_shown_change after update of %s on products for each row when (old.version <> new.version)
    execute function notify_catalog_changed()', watched);
end $$;

select watch_product_columns();
