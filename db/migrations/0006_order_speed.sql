-- A rush of orders, with less work for each: what PostgreSQL prepares anew at every statement (the checks of a table, above all)
-- costs more than the rows themselves. The rules are the same.

-- Rules of single values become domains, as those of the products are.
create domain ordered_amount as bigint check (value > 0);
create domain moved_amount as bigint check (value <> 0);
create domain movement_reason as text check (value in ('ordered', 'freed', 'counted', 'received'));
create domain order_actor as text check (value in ('customer', 'staff', 'system', 'gateway'));
create domain request_key as text check (length(value) between 8 and 255);

alter table order_lines
  drop constraint order_lines_quantity_milli_check,
  drop constraint order_lines_check,
  alter column quantity_milli type ordered_amount,
  alter column price_poisha type amount,
  add constraint price_at_most_base check (price_poisha <= base_price_poisha);
alter table stock_movements
  drop constraint stock_movements_delta_milli_check,
  drop constraint stock_movements_reason_check,
  alter column delta_milli type moved_amount,
  alter column reason type movement_reason;
alter table order_events
  drop constraint order_events_actor_check,
  alter column actor type order_actor;
alter table orders
  drop constraint orders_check,
  alter column payable_poisha type amount,
  add constraint payable_at_most_total check (payable_poisha <= total_poisha);

-- The key of the request that made an order stands on the order itself: one row less to write and to look after.
alter table orders add column idempotency_key request_key, add column request_hash bytea;
update orders o set idempotency_key = k.key, request_hash = k.request_hash from idempotency_keys k where k.order_id = o.id;
create unique index orders_idempotency_key on orders (idempotency_key);
drop table idempotency_keys;

-- One index where two began alike.
alter table order_lines drop constraint order_lines_order_id_product_id_key;
drop index order_lines_product;
alter table order_lines add constraint order_lines_product unique (product_id, order_id);
alter table stock_movements drop constraint stock_movements_pkey;
drop index stock_movements_product;
alter table stock_movements add primary key (product_id, id);
alter table order_events drop constraint order_events_pkey;
drop index order_events_order;
alter table order_events add primary key (order_id, id);

drop function lock_and_check_lines(jsonb);
drop function take_stock(bigint, jsonb);

-- Places orders: each takes its stock and writes itself whole, or nothing. All of the call are one transaction, and each statement is
-- run once for all of them. `wanted` is a list of {place, idempotency_key, …, lines [{position, product_id, …}]}; `place` numbers the
-- orders from 1, and whoever comes first is served first. The answers, in that order: {order_id, replayed, shown}, or
-- {reason: 'stale' | 'not-available' | 'key-reused' | 'busy', lines?, product_id?}. The caller has computed every sum from the facts it read; a
-- line carries the version of its product, so that an order computed from old facts is refused as 'stale' and computed again.
-- `patient`: waits for products that others have locked; else an order of one is 'busy' and names it, and no other order waits for it.
-- Nobody ever waits in a ring: products are locked in the order of their ids, then guests made in that of their phones, then orders
-- in that of their places, after all of these.
-- A connection plans its look-ups once. Planned while a table was nearly empty they would read all of it for ever, and a
-- young shop's first rush would grow slower with every order: hence the setting.
create function place_orders(wanted jsonb, patient boolean) returns jsonb
language plpgsql set enable_seqscan = off as $$
declare
  -- The products, locked, and what is known of each at the same place of the list; an uncounted one has no count.
  goods bigint[] := '{}';
  buyable boolean[] := '{}';
  versions integer[] := '{}';
  animals boolean[] := '{}';
  counts bigint[] := '{}';
  lefts bigint[];
  lefts_before bigint[];
  -- By the orders' places. An order without an id is not to be written.
  answers jsonb[] := '{}';
  ids bigint[] := '{}';
  buyers bigint[] := '{}';
  guests_are_new boolean := false;
  pays_online boolean := false;
  wish record;
  line record;
  product record;
  earlier record;
  at integer;
  obstacle text;
  missing bigint;
  refused jsonb;
  shown boolean;
  buyer bigint;
  reduced bigint[] := '{}';
  emptied bigint[] := '{}';
begin
  for line in
    select distinct l.product_id as id from jsonb_to_recordset(wanted) as w(lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint) order by 1
  loop
    -- One by one through the key: a join would be planned for a hundred lines, and read the whole table for one.
    if patient then
      select p.visible, p.status, p.version, p.is_unique, p.stock_milli into product from products p where p.id = line.id for update;
    else
      select p.visible, p.status, p.version, p.is_unique, p.stock_milli into product from products p where p.id = line.id for update skip locked;
    end if;
    continue when not found;
    goods := goods || line.id;
    buyable := buyable || (product.visible and product.status in ('in-stock', 'pre-book'));
    versions := versions || product.version;
    animals := animals || product.is_unique;
    counts := counts || product.stock_milli::bigint;
  end loop;
  lefts := counts;

  for wish in
    select * from jsonb_to_recordset(wanted) as w(place integer, idempotency_key text, request_hash text, customer_id bigint, phone text,
      tran_id text, lines jsonb) order by w.place
  loop
    ids[wish.place] := null;
    select o.id, o.request_hash into earlier from orders o where o.idempotency_key = wish.idempotency_key;
    if found then
      answers[wish.place] := case when earlier.request_hash = decode(wish.request_hash, 'hex')
        then jsonb_build_object('order_id', earlier.id, 'replayed', true) else jsonb_build_object('reason', 'key-reused') end;
      continue;
    end if;

    obstacle := null;
    refused := '[]';
    shown := false;
    lefts_before := lefts;
    for line in
      select * from jsonb_to_recordset(wish.lines) as l(product_id bigint, version integer, quantity_milli bigint)
    loop
      at := array_position(goods, line.product_id);
      if at is null then
        obstacle := case when patient then 'stale' else 'busy' end;
        missing := line.product_id;
        exit;
      elsif not buyable[at] then
        refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
      elsif versions[at] <> line.version then
        obstacle := 'stale';
        exit;
      elsif lefts[at] < line.quantity_milli then
        refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-enough', 'left_milli', lefts[at]);
      else
        lefts[at] := lefts[at] - line.quantity_milli;
        shown := shown or lefts[at] is not distinct from 0;
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

    buyer := wish.customer_id;
    if buyer is null then
      -- A guest is known by the phone; what an existing customer wrote about himself stays as it is.
      select u.id into buyer from users u where u.phone = wish.phone;
      guests_are_new := guests_are_new or buyer is null;
    end if;
    pays_online := pays_online or wish.tran_id is not null;
    buyers[wish.place] := buyer;
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

  insert into orders (id, source, customer_id, name, phone, email, alternate_phone, address, landmark, note, area_id, lang,
    subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
    list_on, placed_at, expires_at, browser_hash, view_key, tracking_code, idempotency_key, request_hash)
  overriding system value
  select ids[w.place], w.source, buyers[w.place], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at, w.expires_at,
    decode(w.browser_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key, decode(w.request_hash, 'hex')
  from jsonb_to_recordset(wanted) as w(place integer, source text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, expires_at timestamptz, browser_hash text, view_key text, tracking_code text, idempotency_key text, request_hash text)
  where ids[w.place] is not null;

  insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
    line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha)
  select ids[w.place], l.position, l.product_id, l.name_en, l.name_bn, l.unit, l.quantity_milli, l.base_price_poisha, l.price_poisha,
    l.line_total_poisha, l.advance_poisha, l.tag_number, l.booked_grams, l.booked_rate_poisha
  from jsonb_to_recordset(wanted) as w(place integer, lines jsonb), jsonb_to_recordset(w.lines) as l(position smallint, product_id bigint,
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
    update products set stock_milli = lefts[array_position(goods, id)] where id = any(reduced);
  end if;
  if emptied <> '{}' then
    update products set stock_milli = 0, status = case when is_unique then 'hold' else 'out-of-stock' end,
      hold_reason = case when is_unique then 'booked' end
    where id = any(emptied);
  end if;
  if true = any(animals) then
    insert into animal_claims (product_id, order_id)
    select l.product_id, ids[w.place]
    from jsonb_to_recordset(wanted) as w(place integer, lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)
    where ids[w.place] is not null and animals[array_position(goods, l.product_id)];
  end if;
  insert into stock_movements (product_id, order_id, delta_milli, reason)
  select l.product_id, ids[w.place], -l.quantity_milli, 'ordered'
  from jsonb_to_recordset(wanted) as w(place integer, lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint, quantity_milli bigint)
  where ids[w.place] is not null and counts[array_position(goods, l.product_id)] is not null;

  insert into order_events (order_id, at, actor, actor_id, kind, to_status)
  select ids[w.place], w.placed_at, 'customer', w.customer_id, 'placed', 'placed'
  from jsonb_to_recordset(wanted) as w(place integer, placed_at timestamptz, customer_id bigint) where ids[w.place] is not null;

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
end $$;

-- One order, waiting for its goods where it must.
create or replace function place_order(wanted jsonb) returns jsonb
language sql as $$
  select place_orders(jsonb_build_array(wanted), true) -> 0
$$;
alter function place_order(jsonb) reset all;
