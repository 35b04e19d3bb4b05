-- Search texts have the digits 0-9, whatever script the product is written in.
create or replace function product_search_text(p products) returns text language sql immutable parallel safe as $$
  select translate(
    lower(normalize(concat_ws(' ', '', p.name_en, p.name_bn, p.tag_number, p.breed_en, p.breed_bn, p.barcode, p.search_aliases), NFC)),
    '০১২৩৪৫৬৭৮৯', '0123456789')
$$;

update products p set search_text = product_search_text(p) where search_text ~ '[০-৯]';
