-- The limits of the forms stand in the database too. No form let a longer text through.
update categories set name_en = left(name_en, 100) where length(name_en) > 100;
update categories set name_bn = left(name_bn, 100) where length(name_bn) > 100;
update categories set description = left(description, 1000) where length(description) > 1000;
update areas set name_en = left(name_en, 100) where length(name_en) > 100;
update areas set name_bn = left(name_bn, 100) where length(name_bn) > 100;
update slots set name_en = left(name_en, 100) where length(name_en) > 100;
update slots set name_bn = left(name_bn, 100) where length(name_bn) > 100;

alter table categories
  add constraint categories_texts_fit check (length(name_en) <= 100 and length(name_bn) <= 100 and length(description) <= 1000);
alter table areas add constraint areas_names_fit check (length(name_en) <= 100 and length(name_bn) <= 100);
alter table slots add constraint slots_names_fit check (length(name_en) <= 100 and length(name_bn) <= 100);
alter table rate_tiers add constraint rate_tiers_season_fits check (length(season) <= 60);
alter table products add constraint products_season_fits check (length(season) <= 60);
