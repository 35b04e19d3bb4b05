-- A till keeps the goods on its device and asks for what has changed since: by the time of the change.
create index products_updated on products (updated_at, id);

-- Another picture is a change of the product too.
create function products_have_other_media() returns trigger language plpgsql as $$
begin
  update products set updated_at = now() where id in (select product_id from changed_media);
  return null;
end $$;
create trigger product_media_added after insert on product_media referencing new table as changed_media
  for each statement execute function products_have_other_media();
create trigger product_media_changed after update on product_media referencing new table as changed_media
  for each statement execute function products_have_other_media();
create trigger product_media_taken after delete on product_media referencing old table as changed_media
  for each statement execute function products_have_other_media();
