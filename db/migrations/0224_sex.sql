-- The sex of an animal: a key of SEXES in features/catalog/sexes.ts.
alter table products add column sex text constraint products_sex_known check (sex in ('bull', 'ox', 'cow', 'heifer'));
select watch_product_columns();
