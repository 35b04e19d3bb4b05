-- The number of the Z report: closed shifts of the shop, counted without a gap in the order of closing.
alter table pos_shifts add column z_number integer constraint z_number_is_positive check (z_number > 0);
update pos_shifts s set z_number = n.number
from (select id, row_number() over (order by closed_at, id)::int as number from pos_shifts where closed_at is not null) n where n.id = s.id;
create unique index pos_shifts_z_number on pos_shifts (z_number);
alter table pos_shifts add constraint closed_has_z_number check ((closed_at is null) = (z_number is null));
