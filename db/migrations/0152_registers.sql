-- Registers, each with one drawer: one open shift at a register (decision 27). Names typed with earlier shifts become registers.
create table pos_registers (
  id bigint generated always as identity primary key,
  name text not null constraint register_name check (name = btrim(name) and length(name) between 1 and 40),
  created_at timestamptz not null default now()
);
create unique index pos_registers_name on pos_registers (lower(name));

alter table pos_shifts add register_id bigint references pos_registers (id);

insert into pos_registers (name)
select distinct on (lower(btrim(register))) btrim(register) from pos_shifts
where btrim(register) <> '' order by lower(btrim(register)), id desc;

-- Of several shifts that are open under one name, the oldest has the drawer. The others keep the name only.
update pos_shifts s set register_id = r.id
from pos_registers r
where lower(btrim(s.register)) = lower(r.name)
  and (s.closed_at is not null
    or s.id = (select min(o.id) from pos_shifts o where o.closed_at is null and lower(btrim(o.register)) = lower(r.name)));

create unique index one_open_shift_of_register on pos_shifts (register_id) where closed_at is null;
create index pos_shifts_register on pos_shifts (register_id, closed_at desc);
