-- The products on the buttons of the POS, in their order: one list for the shop. A product that is deleted or hidden is left out when
-- the list is read.
create table pos_favourites (
  id integer primary key default 1,
  product_ids bigint[] not null default '{}',
  version integer not null default 1,
  constraint pos_favourites_one_row check (id = 1),
  constraint pos_favourites_count check (cardinality(product_ids) <= 60)
);
insert into pos_favourites default values;
