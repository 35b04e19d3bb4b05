-- A note on a line of a POS sale: how it is to be cut or packed.
alter table order_lines add column note text not null default '';
alter table order_lines add constraint order_lines_note check (length(note) <= 100);
