-- What two of the staff may edit at once, and the uses of a coupon by their order.
alter table categories add column version integer not null default 1;
alter table slots add column version integer not null default 1;
alter table popups add column version integer not null default 1;
alter table policy_pages add column version integer not null default 1;

alter table popups add constraint ends_after_it_starts check (ends_at > starts_at);

create index coupon_uses_coupon on coupon_uses (coupon_id, order_id desc);
