-- The discount that the POS gave on a line alone; it is a part of the order's discount. A return refunds it with its own line: it was shared
-- over all lines, so that the other ones came back for less than was paid for them.
alter table order_lines add column discount_poisha bigint not null default 0;
alter table order_lines add constraint order_lines_discount check (discount_poisha >= 0) not valid;
