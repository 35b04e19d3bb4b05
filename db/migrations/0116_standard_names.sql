-- One word per thing: tables, columns and functions take the field's standard names. Nothing else changes.

alter table films rename to videos;
alter table animal_claims rename to animal_holds;
alter table advance_claims rename to advance_reports;
alter table sent_once rename to idempotency_keys;
alter table shelf_epoch rename to catalog_epoch;
alter table till_approvals rename to pos_approvals;
alter table till_cash_moves rename to pos_cash_movements;
alter table till_codes rename to pos_approval_codes;
alter table till_return_lines rename to pos_return_lines;
alter table till_returns rename to pos_returns;
alter table till_sales rename to pos_sales;
alter table till_shifts rename to pos_shifts;
alter table products rename column shelf_rank to availability_rank;
alter table products rename column few_left to is_low_stock;
alter table products rename column changed_in to changed_xid;
alter table orders rename column name_sounds to name_phonetic_tsv;
alter table users rename column name_sounds to name_phonetic_tsv;
alter table orders rename column phone_proven to phone_verified;
alter table users rename column phone_proven_at to phone_verified_at;
alter table coupon_uses rename column freed_at to released_at;
alter table orders rename column browser_hash to access_token_hash;
alter trigger orders_kept_customer on orders rename to orders_merged_customer;
alter trigger products_few_left on products rename to products_low_stock;

-- Constraints, indexes and sequences carry the name of their table.
do $$
declare
  renamed constant text[][] := array[['films', 'videos'], ['animal_claims', 'animal_holds'], ['advance_claims', 'advance_reports'], ['sent_once', 'idempotency_keys'], ['shelf_epoch', 'catalog_epoch'], ['till_approvals', 'pos_approvals'], ['till_cash_moves', 'pos_cash_movements'], ['till_codes', 'pos_approval_codes'], ['till_return_lines', 'pos_return_lines'], ['till_returns', 'pos_returns'], ['till_sales', 'pos_sales'], ['till_shifts', 'pos_shifts']];
  item record;
begin
  for i in 1 .. array_length(renamed, 1) loop
    for item in select c.conname as name from pg_constraint c where c.conrelid = renamed[i][2]::regclass and starts_with(c.conname, renamed[i][1] || '_') loop
      execute format('alter table %I rename constraint %I to %I', renamed[i][2], item.name, renamed[i][2] || substr(item.name, length(renamed[i][1]) + 1));
    end loop;
    for item in select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
      where x.indrelid = renamed[i][2]::regclass and starts_with(c.relname, renamed[i][1] || '_') loop
      execute format('alter index %I rename to %I', item.name, renamed[i][2] || substr(item.name, length(renamed[i][1]) + 1));
    end loop;
    for item in select s.relname as name from pg_class s join pg_depend d on d.objid = s.oid and d.refobjid = renamed[i][2]::regclass
      where s.relkind = 'S' and starts_with(s.relname, renamed[i][1] || '_') loop
      execute format('alter sequence %I rename to %I', item.name, renamed[i][2] || substr(item.name, length(renamed[i][1]) + 1));
    end loop;
  end loop;
end $$;

alter function catalogue_changed rename to notify_catalog_changed;
alter function follow_order_with_coupon rename to sync_coupon_uses;
alter function goods_delivery_on rename to latest_line_delivery_on;
alter function join_guest rename to merge_guest_into_account;
alter function move_orders_of_product rename to update_order_delivery_dates;
alter function name_sound rename to phonetic_key;
alter function order_of_kept_customer rename to use_merged_customer;
alter function products_before_write rename to set_product_derived_columns;
alter function products_deleted rename to advance_catalog_epoch;
alter function products_few_left rename to set_low_stock;
alter function products_have_other_media rename to touch_products_of_changed_media;
alter function take_coupon rename to redeem_coupon;
alter function too_many_holds rename to exceeded_hold_limit;

create or replace function notify_catalog_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('catalog', '');
  return null;
end $function$;

create or replace function claim_sms(daily_limit integer)
 RETURNS TABLE(id bigint, phone text, body text, purpose text, attempts smallint, skipped boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  today date := (now() at time zone 'Asia/Dhaka')::date;
  has_budget boolean := coalesce((select d.sent < daily_limit from sms_days d where d.day = today), true);
  next sms_outbox;
  is_automatic boolean;
begin
  -- The sum keeps the plan on the queue's own order: by the index of expiry it would sort a long queue at each call.
  select s.* into next from sms_outbox s
  where s.state = 'queued' and s.not_before <= now() and s.expires_at + interval '0' > now()
    and not exists (select 1 from sms_provider p where p.paused_until > now())
    and (s.purpose <> 'order' or s.sent_by is not null or has_budget)
  order by (s.purpose <> 'code'), s.not_before, s.id limit 1 for update skip locked;
  if not found then
    return;
  end if;
  is_automatic := next.purpose = 'order' and next.sent_by is null;
  if is_automatic and exists (select 1 from orders o where o.id = next.order_id and o.source in ('web', 'legacy') and not o.phone_verified
    and o.paid_poisha <= 0 and o.status in ('placed', 'cancelled')) then
    -- One after another for a number, so that each sees the last one sent.
    perform pg_advisory_xact_lock(hashtextextended('sms ' || next.phone, 0));
    if exists (select 1 from sms_outbox s where s.phone = next.phone and s.id <> next.id and s.purpose = 'order'
      and s.state in ('sending', 'submitted', 'unknown') and s.updated_at > now() - interval '1 hour'
      and regexp_replace(s.template, '-[0-9].*', '') = regexp_replace(next.template, '-[0-9].*', '')) then
      update sms_outbox s set state = 'skipped', failure = 'repeat', updated_at = now() where s.id = next.id;
      insert into order_events (order_id, actor, kind, detail) values (next.order_id, 'system', 'sms-skipped', jsonb_build_object('text', next.body));
      return query select next.id, next.phone, next.body, next.purpose, next.attempts, true;
      return;
    end if;
  end if;
  if next.purpose <> 'code' then
    insert into sms_days as d (day, sent) values (today, 1)
    on conflict (day) do update set sent = d.sent + 1 where not is_automatic or d.sent < daily_limit;
    if not found then
      return;
    end if;
  end if;
  return query update sms_outbox s set state = 'sending', attempts = s.attempts + 1, updated_at = now() where s.id = next.id
    returning s.id, s.phone, s.body, s.purpose, s.attempts, false;
end $function$;

create or replace function sync_coupon_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'cancelled' then
    update coupons c set uses = c.uses - 1 from coupon_uses u where u.order_id = new.id and u.released_at is null and c.id = u.coupon_id;
    update coupon_uses set released_at = new.updated_at where order_id = new.id and released_at is null;
  else
    update coupons c set uses = c.uses + 1 from coupon_uses u
    where u.order_id = new.id and u.released_at is not null and c.id = u.coupon_id and (c.max_uses is null or c.uses < c.max_uses);
    if found then
      update coupon_uses set released_at = null where order_id = new.id;
    end if;
  end if;
  return null;
end $function$;

create or replace function free_stock(of_order bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  out_still record;
begin
  perform 1 from products where id in (select product_id from order_lines where order_id = of_order) order by id for update;
  -- What is still out is the sum of this order's movements, so that freeing twice gives nothing back twice.
  for out_still in
    select product_id, -sum(delta_milli) as milli from stock_movements
    where order_id = of_order group by product_id having sum(delta_milli) < 0 order by product_id
  loop
    insert into stock_movements (product_id, order_id, delta_milli, reason)
    values (out_still.product_id, of_order, out_still.milli, 'freed');
    update products set
      stock_milli = stock_milli + out_still.milli,
      status = case when is_unique or (status = 'out-of-stock' and stock_milli = 0) then 'in-stock' else status end,
      hold_reason = case when is_unique then null else hold_reason end
    where id = out_still.product_id;
  end loop;
  delete from animal_holds where order_id = of_order;
end $function$;

create or replace function merge_guest_into_account(guest bigint, account bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  pointer record;
begin
  perform 1 from orders where customer_id in (guest, account) order by id for update;
  perform 1 from users where id in (guest, account) order by id for update;
  if exists (select 1 from users where id = guest and (password_hash is not null or phone_verified_at is not null or role <> 'customer')) then
    raise exception 'user % is no guest', guest;
  end if;
  for pointer in
    select c.conrelid::regclass as place, a.attname as col from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and cardinality(c.conkey) = 1
  loop
    execute format('update %s set %I = $1 where %I = $2', pointer.place, pointer.col, pointer.col) using account, guest;
  end loop;
  delete from users where id = guest;
end $function$;

create or replace function update_order_delivery_dates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  today date := (now() at time zone 'Asia/Dhaka')::date;
  moved bigint[];
begin
  if new.is_unique then
    moved := array(select o.id from order_lines l join orders o on o.id = l.order_id
      where l.product_id = new.id and o.status in ('placed', 'processing'));
  else
    moved := array(select o.id from order_lines l join orders o on o.id = l.order_id
      where l.product_id = new.id and l.delivery_on > today and o.status in ('placed', 'processing'));
  end if;
  perform 1 from orders where id = any(moved) order by id for update;
  update order_lines l set delivery_on = new.delivery_on from orders o
  where l.order_id = any(moved) and l.product_id = new.id and o.id = l.order_id and o.status in ('placed', 'processing');
  update orders o set goods_on = latest_line_delivery_on(o.id)
  where o.id = any(moved) and o.status in ('placed', 'processing') and o.goods_on is distinct from latest_line_delivery_on(o.id);
  return null;
end $function$;

create or replace function place_order_with_coupon(wanted jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  answer jsonb;
  refusal text;
begin
  answer := place_order(wanted);
  if answer ->> 'order_id' is null or (answer ->> 'replayed')::boolean then
    return answer;
  end if;
  refusal := redeem_coupon((answer ->> 'order_id')::bigint, wanted -> 'coupon');
  if refusal is not null then
    -- Takes the order back that was written above.
    raise exception sqlstate 'KH001';
  end if;
  return answer;
exception when sqlstate 'KH001' then
  return case refusal when 'stale' then jsonb_build_object('reason', 'stale') else jsonb_build_object('reason', 'coupon', 'coupon', refusal) end;
end $function$;

create or replace function place_orders(wanted jsonb, patient boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  -- The products, locked, and what is known of each at the same place of the list; an uncounted one has no count.
  goods bigint[];
  buyable boolean[];
  versions integer[];
  animals boolean[];
  counts bigint[];
  lefts bigint[];
  delivery_dates date[];
  lefts_before bigint[];
  -- By the orders' places. An order without an id is not to be written.
  answers jsonb[] := '{}';
  ids bigint[] := '{}';
  buyers bigint[] := '{}';
  guests_are_new boolean := false;
  pays_online boolean := false;
  has_delivery_dates boolean;
  wish record;
  line jsonb;
  wanted_id bigint;
  quantity bigint;
  at integer;
  obstacle text;
  missing bigint;
  refused jsonb;
  shown boolean;
  reduced bigint[] := '{}';
  emptied bigint[] := '{}';
  -- Animals of the order in hand; holds of the orders before it in this list, which no table has yet.
  animals_wanted integer;
  holds_taken jsonb := '[]';
  holds_locked boolean := false;
begin
  if patient then
    perform 1 from products p where p.id = any(array(
      select l.product_id from jsonb_to_recordset(wanted) as w(lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)))
      order by p.id for update;
  end if;
  -- All together, in the order of their numbers; whoever is patient has them already.
  select coalesce(array_agg(p.id), '{}'), coalesce(array_agg(p.visible and p.status in ('in-stock', 'pre-book')), '{}'),
    coalesce(array_agg(p.version), '{}'), coalesce(array_agg(p.is_unique), '{}'), coalesce(array_agg(p.stock_milli::bigint), '{}'),
    coalesce(array_agg(p.delivery_on), '{}')
  into goods, buyable, versions, animals, counts, delivery_dates
  from (
    select p.id, p.visible, p.status, p.version, p.is_unique, p.stock_milli, p.delivery_on from products p where p.id = any(array(
      select l.product_id from jsonb_to_recordset(wanted) as w(lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)))
    order by p.id for update skip locked
  ) p;
  lefts := counts;
  has_delivery_dates := array_remove(delivery_dates, null) <> '{}';

  for wish in
    -- Each looked up by itself: a join would be planned for a hundred orders, and read whole indexes.
    select w.place, w.request_hash, w.lines, w.phone, w.holds, w.tran_id is not null as pays_online,
      (select o.id from orders o where o.idempotency_key = w.idempotency_key) as earlier,
      -- A guest is known by the phone; what an existing customer wrote about himself stays as it is.
      coalesce(w.customer_id, (select u.id from users u where u.phone = w.phone)) as buyer
    from jsonb_to_recordset(wanted) as w(place integer, idempotency_key text, request_hash text, customer_id bigint, phone text,
      tran_id text, lines jsonb, holds jsonb) order by w.place
  loop
    ids[wish.place] := null;
    if wish.earlier is not null then
      answers[wish.place] := case when (select o.request_hash from orders o where o.id = wish.earlier) = decode(wish.request_hash, 'hex')
        then jsonb_build_object('order_id', wish.earlier, 'replayed', true) else jsonb_build_object('reason', 'key-reused') end;
      continue;
    end if;

    obstacle := null;
    refused := '[]';
    shown := false;
    animals_wanted := 0;
    lefts_before := lefts;
    for n in 0 .. jsonb_array_length(wish.lines) - 1 loop
      line := wish.lines -> n;
      wanted_id := line -> 'product_id';
      quantity := line -> 'quantity_milli';
      at := array_position(goods, wanted_id);
      if at is null then
        obstacle := case when patient then 'stale' else 'busy' end;
        missing := wanted_id;
        exit;
      elsif not buyable[at] then
        refused := refused || jsonb_build_object('product_id', wanted_id, 'reason', 'not-available');
      elsif versions[at] <> (line -> 'version')::integer then
        obstacle := 'stale';
        exit;
      elsif lefts[at] < quantity then
        refused := refused || jsonb_build_object('product_id', wanted_id, 'reason', 'not-enough', 'left_milli', lefts[at]);
      else
        lefts[at] := lefts[at] - quantity;
        shown := shown or lefts[at] is not distinct from 0;
        animals_wanted := animals_wanted + animals[at]::integer;
      end if;
    end loop;
    if obstacle is null and refused <> '[]' then
      obstacle := 'not-available';
    end if;
    if obstacle is not null then
      lefts := lefts_before;
      answers[wish.place] := jsonb_build_object('reason', obstacle) || case obstacle
        when 'not-available' then jsonb_build_object('lines', refused) when 'busy' then jsonb_build_object('product_id', missing) else '{}' end;
      continue;
    end if;

    if animals_wanted > 0 and wish.holds ->> 'per_phone' is not null then
      -- Orders of animals count each other's holds: one after another, with their goods locked before. Other orders do not wait.
      if not holds_locked then
        perform pg_advisory_xact_lock(hashtextextended('animal holds', 0));
        holds_locked := true;
      end if;
      refused := exceeded_hold_limit(wish.phone, wish.holds, animals_wanted, holds_taken);
      if refused is not null then
        lefts := lefts_before;
        answers[wish.place] := jsonb_build_object('reason', 'too-many-held') || refused;
        continue;
      end if;
      holds_taken := holds_taken || (wish.holds || jsonb_build_object('phone', wish.phone, 'animals', animals_wanted));
    end if;

    guests_are_new := guests_are_new or wish.buyer is null;
    pays_online := pays_online or wish.pays_online;
    buyers[wish.place] := wish.buyer;
    ids[wish.place] := nextval('orders_id_seq');
    answers[wish.place] := jsonb_build_object('order_id', ids[wish.place], 'replayed', false, 'shown', shown);
  end loop;
  if array_remove(ids, null) = '{}' then
    return to_jsonb(answers);
  end if;

  if guests_are_new then
    for wish in
      with guest as (
        select * from jsonb_to_recordset(wanted) as w(place integer, name text, phone text, email text)
        where ids[w.place] is not null and buyers[w.place] is null
      ), made as (
        insert into users (name, phone, email) select distinct on (phone) name, phone, nullif(email, '') from guest order by phone, place
        on conflict (phone) do update set phone = excluded.phone returning id, phone
      )
      select guest.place, made.id from guest join made on made.phone = guest.phone
    loop
      buyers[wish.place] := wish.id;
    end loop;
  end if;

  insert into orders (id, source, status, customer_id, name, phone, email, alternate_phone, address, landmark, note, area_id, lang,
    subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
    list_on, placed_at, updated_at, expires_at, access_token_hash, view_key, tracking_code, idempotency_key, request_hash, paid_poisha, phone_verified,
    deliveries, goods_on)
  overriding system value
  select ids[w.place], w.source, coalesce(w.status, 'placed'), buyers[w.place], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at,
    coalesce(w.updated_at, now()), w.expires_at, decode(w.access_token_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key,
    decode(w.request_hash, 'hex'), coalesce(w.paid_poisha, 0), coalesce(w.phone_verified, false),
    coalesce(w.deliveries, 1), case when has_delivery_dates and coalesce(w.status, 'placed') in ('placed', 'processing') then (
      select max(delivery_dates[array_position(goods, l.product_id)]) from jsonb_to_recordset(w.lines) as l(product_id bigint)) end
  from jsonb_to_recordset(wanted) as w(place integer, source text, status text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, updated_at timestamptz, expires_at timestamptz, access_token_hash text, view_key text, tracking_code text,
    idempotency_key text, request_hash text, paid_poisha bigint, phone_verified boolean, deliveries smallint, lines jsonb)
  where ids[w.place] is not null;

  insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
    line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha, delivery_on)
  select ids[w.place], l.position, l.product_id, l.name_en, l.name_bn, l.unit, l.quantity_milli, l.base_price_poisha, l.price_poisha,
    l.line_total_poisha, l.advance_poisha, l.tag_number, l.booked_grams, l.booked_rate_poisha,
    case when has_delivery_dates and coalesce(w.status, 'placed') in ('placed', 'processing') then delivery_dates[array_position(goods, l.product_id)] end
  from jsonb_to_recordset(wanted) as w(place integer, status text, lines jsonb), jsonb_to_recordset(w.lines) as l(position smallint, product_id bigint,
    name_en text, name_bn text, unit text, quantity_milli bigint, base_price_poisha bigint, price_poisha bigint, line_total_poisha bigint,
    advance_poisha bigint, tag_number text, booked_grams integer, booked_rate_poisha bigint)
  where ids[w.place] is not null;

  for at in 1 .. cardinality(goods) loop
    if lefts[at] = 0 and counts[at] > 0 then
      emptied := emptied || goods[at];
    elsif lefts[at] < counts[at] then
      reduced := reduced || goods[at];
    end if;
  end loop;
  if reduced <> '{}' then
    -- The count alone, in most orders: nothing that shows, no trigger, no index.
    update products p set stock_milli = lefts[array_position(goods, p.id)] where p.id = any(reduced);
  end if;
  if emptied <> '{}' then
    update products set stock_milli = 0, status = case when is_unique then 'hold' else 'out-of-stock' end,
      hold_reason = case when is_unique then 'booked' end
    where id = any(emptied);
  end if;
  if true = any(animals) then
    insert into animal_holds (product_id, order_id, phone, browser_key, network_key)
    select l.product_id, ids[w.place], case when w.holds is not null then w.phone end, decode(w.holds ->> 'browser', 'hex'),
      decode(w.holds ->> 'network', 'hex')
    from jsonb_to_recordset(wanted) as w(place integer, phone text, holds jsonb, lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)
    where ids[w.place] is not null and animals[array_position(goods, l.product_id)];
  end if;
  insert into stock_movements (product_id, order_id, delta_milli, reason)
  select l.product_id, ids[w.place], -l.quantity_milli, 'ordered'
  from jsonb_to_recordset(wanted) as w(place integer, lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint, quantity_milli bigint)
  where ids[w.place] is not null and counts[array_position(goods, l.product_id)] is not null;

  insert into order_events (order_id, at, actor, actor_id, kind, to_status, detail)
  select ids[w.place], coalesce(w.updated_at, w.placed_at), case when w.clerk_id is null then 'customer' else 'staff' end,
    coalesce(w.clerk_id, w.customer_id), 'placed', coalesce(w.status, 'placed'), coalesce(w.detail, '{}')
  from jsonb_to_recordset(wanted) as w(place integer, placed_at timestamptz, updated_at timestamptz, customer_id bigint, clerk_id bigint,
    status text, detail jsonb) where ids[w.place] is not null;

  -- Written with the order, so that of several calls for it one opens the payment page.
  if pays_online then
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, created_at, updated_at)
    select ids[w.place], w.payment_gateway, w.tran_id, w.payable_poisha, w.placed_at, w.placed_at
    from jsonb_to_recordset(wanted) as w(place integer, payment_gateway text, tran_id text, payable_poisha bigint, placed_at timestamptz)
    where ids[w.place] is not null and w.tran_id is not null;
  end if;

  insert into sms_outbox (purpose, order_id, template, phone, body)
  select 'order', ids[w.place], 'order-placed', w.phone, replace(w.sms_body, '{order}', ids[w.place]::text)
  from jsonb_to_recordset(wanted) as w(place integer, phone text, sms_body text) where ids[w.place] is not null and w.sms_body is not null;

  return to_jsonb(answers);
end $function$;

create or replace function set_product_derived_columns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search_text := product_search_text(new);
  new.availability_rank := case new.status when 'in-stock' then 0 when 'pre-book' then 1 when 'hold' then 2 when 'out-of-stock' then 3 else 4 end;
  new.is_low_stock := coalesce(not new.is_unique and new.stock_milli <= 100000, false);
  new.changed_xid := pg_current_xact_id();
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    new.version := old.version + 1;
  end if;
  return new;
end $function$;

create or replace function advance_catalog_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update catalog_epoch set epoch = epoch + 1;
  perform pg_notify('catalog', '');
  return null;
end $function$;

create or replace function set_low_stock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_low_stock := coalesce(not new.is_unique and new.stock_milli <= 100000, false);
  return new;
end $function$;

create or replace function sell_at_till(wanted jsonb, patient boolean, nobody text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  ready jsonb[] := '{}';
  -- By the sales' places in `ready`: where they came from, and what they became.
  places integer[] := '{}';
  ids bigint[] := '{}';
  answers jsonb[] := '{}';
  renamed bigint[] := '{}';
  sale record;
  buyer record;
  shift bigint;
  sales jsonb;
  written jsonb;
begin
  for sale in
    select e.at, e.value as body, w.* from jsonb_array_elements(wanted) with ordinality as e(value, at),
      jsonb_to_record(e.value) as w(idempotency_key text, clerk_id bigint, shift_id bigint, phone text, name text, walk_in text)
  loop
    answers[sale.at] := '{}';
    if patient then
      perform pg_advisory_xact_lock(hashtextextended(sale.idempotency_key, 0));
      select s.id into shift from pos_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share;
    else
      continue when not pg_try_advisory_xact_lock(hashtextextended(sale.idempotency_key, 0));
      -- Held until the end: whoever closes the shift waits, and counts this sale.
      select s.id into shift from pos_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share skip locked;
    end if;
    continue when shift is null or shift <> sale.shift_id;
    select u.id, u.name into buyer from users u where u.phone = sale.phone;
    if sale.name <> '' and buyer.name = any(nobody) then
      renamed := renamed || buyer.id;
    end if;
    places := places || sale.at::integer;
    ready := ready || (sale.body || jsonb_build_object('place', cardinality(places), 'shift_id', shift, 'customer_id', buyer.id,
      'name', coalesce(nullif(sale.name, ''), buyer.name, sale.walk_in)));
  end loop;
  if places = '{}' then
    return to_jsonb(answers);
  end if;

  sales := to_jsonb(ready);
  written := place_orders(sales, patient);
  for at in 1 .. cardinality(places) loop
    answers[places[at]] := written -> (at - 1);
    ids[at] := case when not (written -> (at - 1) ->> 'replayed')::boolean then (written -> (at - 1) ->> 'order_id')::bigint end;
  end loop;
  if array_remove(ids, null) = '{}' then
    return to_jsonb(answers);
  end if;

  if renamed <> '{}' then
    perform 1 from users where id = any(renamed) order by id for no key update;
    update users u set name = w.name from jsonb_to_recordset(sales) as w(place integer, customer_id bigint, name text)
    where ids[w.place] is not null and u.id = w.customer_id and u.id = any(renamed) and u.name = any(nobody);
  end if;
  insert into ledger_entries (order_id, kind, method, amount_poisha, reference, actor_id, at, shift_id, paid_with_order)
  select ids[w.place], 'counter', m.method, m.amount_poisha, m.reference, w.clerk_id, w.placed_at, w.shift_id, true
  from jsonb_to_recordset(sales) as w(place integer, clerk_id bigint, placed_at timestamptz, shift_id bigint, means jsonb),
    jsonb_to_recordset(w.means) as m(method text, amount_poisha bigint, reference text)
  where ids[w.place] is not null;
  insert into pos_sales (order_id, shift_id, tendered_poisha, change_poisha)
  select ids[w.place], w.shift_id, w.tendered_poisha, w.change_poisha
  from jsonb_to_recordset(sales) as w(place integer, shift_id bigint, tendered_poisha bigint, change_poisha bigint) where ids[w.place] is not null;
  insert into audit_log (actor_id, action, subject, subject_id, after, ip)
  select w.clerk_id, 'created', 'order', ids[w.place]::text, w.log, w.ip
  from jsonb_to_recordset(sales) as w(place integer, clerk_id bigint, log jsonb, ip text) where ids[w.place] is not null;
  return to_jsonb(answers);
end $function$;

create or replace function set_order_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed bigint := coalesce(new.order_id, old.order_id);
  latest date := latest_line_delivery_on(changed);
begin
  update orders set goods_on = latest where id = changed and goods_on is distinct from latest;
  return null;
end $function$;

create or replace function set_reopened_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update order_lines l set delivery_on = p.delivery_on from products p
  where l.order_id = new.id and p.id = l.product_id and l.delivery_on is distinct from p.delivery_on;
  new.goods_on := latest_line_delivery_on(new.id);
  return new;
end $function$;

create or replace function settle_stock(for_order bigint, wanted jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  line record;
  refused jsonb := '[]';
  left_farm boolean := (select status in ('on_delivery', 'delivered', 'completed') from orders where id = for_order);
begin
  perform 1 from products where id in (
    select w.product_id from jsonb_to_recordset(wanted) as w(product_id bigint)
    union select product_id from stock_movements where order_id = for_order) order by id for update;
  for line in select * from stock_changes(for_order, wanted) loop
    if line.is_new and (not line.visible or line.status not in ('in-stock', 'pre-book')) then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.is_unique and (line.stock_milli < line.more_milli or (line.status not in ('in-stock', 'pre-book')
      -- A reopened order takes back its own animal that came back and is not released.
      and not exists (select 1 from returned_animals r where r.product_id = line.product_id and r.order_id = for_order and not r.is_ill))) then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.stock_milli < line.more_milli then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-enough', 'left_milli', line.stock_milli);
    end if;
  end loop;
  if jsonb_array_length(refused) > 0 then
    return refused;
  end if;
  for line in select * from stock_changes(for_order, wanted) where more_milli <> 0 loop
    insert into stock_movements (product_id, order_id, delta_milli, reason)
    values (line.product_id, for_order, -line.more_milli, case when line.more_milli > 0 then 'ordered' else 'freed' end);
    if line.more_milli > 0 then
      update products set
        stock_milli = stock_milli - line.more_milli,
        status = case when is_unique then 'hold' when stock_milli = line.more_milli then 'out-of-stock' else status end,
        hold_reason = case when is_unique then 'booked' else hold_reason end
      where id = line.product_id;
    else
      update products set
        stock_milli = stock_milli - line.more_milli,
        status = case when is_unique and left_farm then 'hold' when is_unique or (status = 'out-of-stock' and stock_milli = 0) then 'in-stock' else status end,
        hold_reason = case when is_unique and left_farm then 'returned' when is_unique then null else hold_reason end
      where id = line.product_id;
    end if;
    if line.is_unique and line.more_milli > 0 then
      delete from returned_animals where product_id = line.product_id;
      insert into animal_holds (product_id, order_id) values (line.product_id, for_order);
    elsif line.is_unique then
      delete from animal_holds where product_id = line.product_id and order_id = for_order;
      if left_farm then
        insert into returned_animals (product_id, order_id) values (line.product_id, for_order)
        on conflict (product_id) do update set order_id = excluded.order_id, returned_at = now(), is_ill = false, note = '';
      end if;
    end if;
  end loop;
  return null;
end $function$;

create or replace function redeem_coupon(for_order bigint, coupon jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  buyer bigint;
  placed timestamptz;
  c coupons;
begin
  select customer_id, placed_at into buyer, placed from orders where id = for_order;
  -- Whoever else uses this coupon waits here, and then counts this use too.
  select * into c from coupons where id = (coupon ->> 'id')::bigint for no key update;
  if not found or c.version <> (coupon ->> 'version')::int then
    return 'stale';
  elsif c.uses >= c.max_uses then
    return 'used-up';
  elsif (select count(*) from coupon_uses where coupon_id = c.id and customer_id = buyer and released_at is null) >= c.max_uses_per_customer then
    return 'used-by-you';
  elsif c.first_order_only and exists (
    select 1 from orders where customer_id = buyer and id <> for_order and status <> 'cancelled') then
    return 'first-order-only';
  end if;
  insert into coupon_uses (order_id, coupon_id, customer_id, code, discount_poisha, delivery_saved_poisha, at)
  values (for_order, c.id, buyer, c.code, (coupon ->> 'discount_poisha')::bigint, (coupon ->> 'delivery_saved_poisha')::bigint, placed);
  update coupons set uses = uses + 1 where id = c.id;
  return null;
end $function$;

create or replace function exceeded_hold_limit(of_phone text, holds jsonb, animals integer, taken jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  of_browser bytea := decode(holds ->> 'browser', 'hex');
  of_network bytea := decode(holds ->> 'network', 'hex');
  by_phone integer;
  by_browser integer;
  by_network integer;
begin
  select count(*) filter (where c.phone = of_phone), count(*) filter (where c.browser_key = of_browser),
    count(*) filter (where c.network_key = of_network and not o.phone_verified)
  into by_phone, by_browser, by_network
  from animal_holds c join orders o on o.id = c.order_id
  where (c.phone = of_phone or c.browser_key = of_browser or c.network_key = of_network) and o.status = 'placed' and o.paid_poisha <= 0;
  select by_phone + coalesce(sum(t.animals) filter (where t.phone = of_phone), 0),
    by_browser + coalesce(sum(t.animals) filter (where t.browser = holds ->> 'browser'), 0),
    by_network + coalesce(sum(t.animals) filter (where t.network = holds ->> 'network' and not t.proven), 0)
  into by_phone, by_browser, by_network
  from jsonb_to_recordset(taken) as t(phone text, browser text, network text, proven boolean, animals integer);
  return case
    when by_phone + animals > (holds ->> 'per_phone')::integer then
      jsonb_build_object('by', 'phone', 'held', by_phone, 'limit', (holds ->> 'per_phone')::integer)
    when by_browser + animals > (holds ->> 'per_browser')::integer then
      jsonb_build_object('by', 'browser', 'held', by_browser, 'limit', (holds ->> 'per_browser')::integer)
    when not (holds ->> 'proven')::boolean and by_network + animals > (holds ->> 'per_network')::integer then
      jsonb_build_object('by', 'network', 'held', by_network, 'limit', (holds ->> 'per_network')::integer)
  end;
end $function$;
