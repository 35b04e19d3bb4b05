-- The office's list of orders: any filter, from either end, among a million.

-- The sum of an order's ledger, kept beside it so that what is due can be filtered. The ledger stays the truth; the trigger adds each row.
alter table orders add column paid_poisha bigint not null default 0;
update orders o set paid_poisha = l.paid
from (select order_id, sum(amount_poisha)::bigint as paid from ledger_entries group by order_id) l where l.order_id = o.id;

create function add_to_paid() returns trigger
language plpgsql as $$
begin
  update orders o set paid_poisha = o.paid_poisha + a.amount
  from (select order_id, sum(amount_poisha)::bigint as amount from added group by order_id) a where o.id = a.order_id;
  return null;
end $$;
create trigger ledger_entries_paid after insert on ledger_entries referencing new table as added
  for each statement execute function add_to_paid();

-- What a name sounds like, word by word, the same in both scripts: vowels go, letters that are spelled this way and that become one.
-- Rahim, Roheem and রহিম are all rhm; Chowdhury and চৌধুরী are cdr.
create function name_sound(name text) returns text
language sql immutable parallel safe
return regexp_replace(regexp_replace(translate(
  regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      lower(normalize(left(name, 255), NFC)),
      'ড়', 'r'), 'ঢ়', 'r'), 'য়', ''), '্য', ''),
      'kh', 'k'), 'gh', 'g'), 'jh', 'j'), 'th', 't'), 'dh', 'd'), 'ph', 'f'), 'bh', 'b'),
    '([সশজদত])্ব', '\1', 'g'), 'sh', 's', 'g'), 'c(?!h)', 'k', 'g'), 'ch', 'c', 'g'),
  'কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহৎং' || 'qvzx' || 'aeiouwy' || 'অআইঈউঊঋএঐওঔািীুূৃেৈোৌ্ঃঁ়ৗ',
  'kkggnccjjntdddnttddnpfbbmjrlssshtn' || 'kbjs'),
  '(\w)\1+', '\1', 'g'), '[^a-z0-9]+', ' ', 'g');

alter table orders add column name_sounds tsvector not null generated always as (to_tsvector('simple'::regconfig, name_sound(name))) stored;
create index orders_name on orders using gin (name_sounds) with (fastupdate = off);
create index orders_phone on orders (phone);
create index order_lines_tag on order_lines (tag_number) where tag_number is not null;

-- Newest first is by the time of ordering; each filter has its own way there.
drop index orders_status;
drop index orders_list;
create index orders_placed on orders (placed_at, id);
create index orders_status on orders (status, placed_at, id);
create index orders_area on orders (area_id, placed_at, id);
create index orders_source on orders (source, placed_at, id);
create index orders_list on orders (list_on, placed_at, id);
create index orders_due on orders (placed_at, id) where paid_poisha < total_poisha and status not in ('cancelled', 'returned');
create index orders_refund on orders (placed_at, id)
  where paid_poisha > total_poisha or (paid_poisha > 0 and status in ('cancelled', 'returned'));
