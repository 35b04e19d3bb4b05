-- The counts of payment methods beside cash, bKash and bank at closing a shift. The standard methods stay in columns of the shift.
create table pos_shift_counts (
  shift_id bigint not null references pos_shifts (id),
  method text not null check (method in ('nagad', 'rocket', 'card')),
  counted_poisha amount not null,
  expected_poisha bigint not null,
  primary key (shift_id, method)
);
