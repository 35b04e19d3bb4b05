-- People whose area is not listed in the checkout leave name, phone and place; staff call them. One row a phone and day (in Dhaka).
create table area_requests (
  id bigint generated always as identity primary key,
  name name_text not null,
  phone mobile_phone not null,
  place text not null,
  requested_on date not null,
  state text not null default 'new',
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  handled_by bigint references users (id),
  handled_at timestamptz,
  constraint area_requests_phone_day unique (phone, requested_on),
  constraint area_requests_phone check (phone <> ''),
  constraint area_requests_place check (btrim(place) <> '' and length(place) <= 255),
  constraint area_requests_note check (length(note) <= 1000),
  constraint area_requests_state check (state in ('new', 'called', 'done'))
);
create index area_requests_state on area_requests (state, id desc);
