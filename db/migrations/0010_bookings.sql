-- Pre-bookings as the staff work through them: what was said on the phone, and the ways the list is looked at.
alter table kurbani_bookings
  add column note text not null default '' check (length(note) <= 1000),
  add column version integer not null default 1,
  add column handled_by bigint references users,
  add column handled_at timestamptz;
create index kurbani_bookings_district on kurbani_bookings (district, id desc);
create index kurbani_bookings_price on kurbani_bookings (price_range, id desc);
