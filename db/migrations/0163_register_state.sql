-- A register can be renamed, and switched off while no shift is open at it. Edits are counted, so that of two at once the second is stale.
alter table pos_registers
  add active boolean not null default true,
  add version integer not null default 1;

-- The sum of a method other than cash may be below zero: a shift that refunded more by bKash than it took. Cash is counted in the drawer.
-- compatible: the wider type has every value of the previous one
alter table pos_shifts
  alter column counted_bkash_poisha type bigint,
  alter column counted_bank_poisha type bigint;
alter table pos_shift_counts alter column counted_poisha type bigint;
