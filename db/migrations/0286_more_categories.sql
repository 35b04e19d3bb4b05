-- Lists of the shop have a product in each of its categories. The product index reads the products that a transaction changed by changed_xid,
-- which a change of the further categories alone did not set.
create function touch_products_of_changed_categories() returns trigger language plpgsql as $$
begin
  update products set changed_xid = pg_current_xact_id() where id in (select product_id from changed_categories);
  return null;
end $$;

create trigger product_categories_added after insert on product_categories referencing new table as changed_categories
  for each statement execute function touch_products_of_changed_categories();
create trigger product_categories_taken after delete on product_categories referencing old table as changed_categories
  for each statement execute function touch_products_of_changed_categories();
