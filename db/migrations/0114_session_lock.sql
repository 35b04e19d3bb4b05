-- Sessions of the POS and the scale lock when idle instead of ending; a PIN unlocks them.
alter table sessions
  add column locked_at timestamptz,
  add column pin_tries smallint not null default 0;

create table staff_pins (
  user_id bigint primary key references users on delete cascade,
  pin_hash text not null,
  set_at timestamptz not null default now()
);
