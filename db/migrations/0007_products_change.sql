-- Season, month of birth, whether it is one animal and sold by weight are shown too: a change of theirs makes a new version of the
-- product, and kept pages are old at once.
drop trigger products_change on products;
create trigger products_change before update of category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status,
    discount_kind, discount_value, sizes_milli, shipping_poisha, advance_minimum_poisha, advance_percent_bp, advance_round_poisha, coupon_applicable, delivery_on,
    note_en, note_bn, hold_reason, is_unique, barcode, tag_number, breed_en, breed_bn, coat, teeth, birth_month, sold_by_live_weight,
    weight_grams, weighed_on, season, visible, search_aliases on products
  for each row when (
    (old.category_id, old.name_en, old.name_bn, old.description_en, old.description_bn, old.price_poisha, old.unit, old.status,
     old.discount_kind, old.discount_value, old.sizes_milli, old.shipping_poisha, old.advance_minimum_poisha, old.advance_percent_bp,
     old.advance_round_poisha, old.coupon_applicable, old.delivery_on, old.note_en, old.note_bn, old.hold_reason, old.is_unique,
     old.barcode, old.tag_number, old.breed_en, old.breed_bn, old.coat, old.teeth, old.birth_month, old.sold_by_live_weight,
     old.weight_grams, old.weighed_on, old.season, old.visible, old.search_aliases)
    is distinct from
    (new.category_id, new.name_en, new.name_bn, new.description_en, new.description_bn, new.price_poisha, new.unit, new.status,
     new.discount_kind, new.discount_value, new.sizes_milli, new.shipping_poisha, new.advance_minimum_poisha, new.advance_percent_bp,
     new.advance_round_poisha, new.coupon_applicable, new.delivery_on, new.note_en, new.note_bn, new.hold_reason, new.is_unique,
     new.barcode, new.tag_number, new.breed_en, new.breed_bn, new.coat, new.teeth, new.birth_month, new.sold_by_live_weight,
     new.weight_grams, new.weighed_on, new.season, new.visible, new.search_aliases))
  execute function products_before_write();

drop trigger products_shown_change on products;
create trigger products_shown_change after update of category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status,
    discount_kind, discount_value, sizes_milli, shipping_poisha, advance_minimum_poisha, advance_percent_bp, advance_round_poisha, coupon_applicable, delivery_on,
    note_en, note_bn, hold_reason, is_unique, barcode, tag_number, breed_en, breed_bn, coat, teeth, birth_month, sold_by_live_weight,
    weight_grams, weighed_on, season, visible, search_aliases on products
  for each row when (old.version <> new.version) execute function catalogue_changed();

-- Ended attempts are looked at for a day: money may still come.
create index payment_attempts_ended on payment_attempts (created_at) where state in ('failed', 'expired') and gateway_ref is not null;
