-- The district an animal was raised in, by its English name (lib/geo/districts.json).
alter table products add column raised_in text constraint products_raised_in_fits check (length(raised_in) <= 60);
select watch_product_columns();
