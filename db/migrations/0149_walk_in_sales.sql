-- Sales without a phone, a setting of the POS. They belong to one user of a role of its own, which is neither a customer nor staff: lists of
-- customers and the leaderboard leave it out, and nobody can sign in as it or merge it.
alter domain mobile_phone drop constraint mobile_phone_check;
alter domain mobile_phone add constraint mobile_phone_check check (value = '' or value ~ '^01[3-9][0-9]{8}$');
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check
  check (role = any (array['customer', 'owner', 'manager', 'sales', 'cashier', 'weigher', 'viewer', 'walk-in']));
alter table users add constraint users_without_phone check ((phone = '') = (role = 'walk-in'));
alter table orders add constraint orders_without_phone check (phone <> '' or source = 'pos');
alter table challenges add constraint challenges_phone check (phone <> '');
insert into users (role, name, phone) values ('walk-in', 'Sales without a phone', '');
