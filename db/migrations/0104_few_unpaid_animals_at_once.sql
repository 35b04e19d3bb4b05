-- Few unpaid animals are held at once by one phone, browser or network. An order whose phone is proven by an SMS code is held longer.

alter table orders add column phone_proven boolean not null default false;

-- The sender of an order that shoppers placed themselves, as keys to count by: no address and no secret can be read from them.
alter table animal_claims add column phone text, add column browser_key bytea, add column network_key bytea;
create index animal_claims_phone on animal_claims (phone) where phone is not null;
create index animal_claims_browser on animal_claims (browser_key) where browser_key is not null;
create index animal_claims_network on animal_claims (network_key) where network_key is not null;

-- A guest proves the phone of an order already placed.
alter table challenges drop constraint challenges_purpose_check;
alter table challenges add constraint challenges_purpose_check check (purpose in ('register', 'sign-in', 'new-password', 'new-phone', 'confirm',
  'second-factor', 'first-password', 'order-phone'));

-- Which limit an order would exceed, and what is held under it already; null when it may hold its animals. `taken` are holds that
-- no table has yet. An animal counts while its order is placed and nothing is paid. Holds of proven phones do not count for a network.
create function too_many_holds(of_phone text, holds jsonb, animals integer, taken jsonb) returns jsonb language plpgsql as $$
declare
  of_browser bytea := decode(holds ->> 'browser', 'hex');
  of_network bytea := decode(holds ->> 'network', 'hex');
  by_phone integer;
  by_browser integer;
  by_network integer;
begin
  select count(*) filter (where c.phone = of_phone), count(*) filter (where c.browser_key = of_browser),
    count(*) filter (where c.network_key = of_network and not o.phone_proven)
  into by_phone, by_browser, by_network
  from animal_claims c join orders o on o.id = c.order_id
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
end $$;

create or replace function place_orders(wanted jsonb, patient boolean)
returns jsonb
language plpgsql
set enable_seqscan to off
as $function$
declare
  -- The products, locked, and what is known of each at the same place of the list; an uncounted one has no count.
  goods bigint[];
  buyable boolean[];
  versions integer[];
  animals boolean[];
  counts bigint[];
  lefts bigint[];
  lefts_before bigint[];
  -- By the orders' places. An order without an id is not to be written.
  answers jsonb[] := '{}';
  ids bigint[] := '{}';
  buyers bigint[] := '{}';
  guests_are_new boolean := false;
  pays_online boolean := false;
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
    coalesce(array_agg(p.version), '{}'), coalesce(array_agg(p.is_unique), '{}'), coalesce(array_agg(p.stock_milli::bigint), '{}')
  into goods, buyable, versions, animals, counts
  from (
    select p.id, p.visible, p.status, p.version, p.is_unique, p.stock_milli from products p where p.id = any(array(
      select l.product_id from jsonb_to_recordset(wanted) as w(lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)))
    order by p.id for update skip locked
  ) p;
  lefts := counts;

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
      refused := too_many_holds(wish.phone, wish.holds, animals_wanted, holds_taken);
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
    list_on, placed_at, updated_at, expires_at, browser_hash, view_key, tracking_code, idempotency_key, request_hash, paid_poisha, phone_proven)
  overriding system value
  select ids[w.place], w.source, coalesce(w.status, 'placed'), buyers[w.place], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at,
    coalesce(w.updated_at, now()), w.expires_at, decode(w.browser_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key,
    decode(w.request_hash, 'hex'), coalesce(w.paid_poisha, 0), coalesce(w.phone_proven, false)
  from jsonb_to_recordset(wanted) as w(place integer, source text, status text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, updated_at timestamptz, expires_at timestamptz, browser_hash text, view_key text, tracking_code text,
    idempotency_key text, request_hash text, paid_poisha bigint, phone_proven boolean)
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
    update products p set stock_milli = lefts[array_position(goods, p.id)] where p.id = any(reduced);
  end if;
  if emptied <> '{}' then
    update products set stock_milli = 0, status = case when is_unique then 'hold' else 'out-of-stock' end,
      hold_reason = case when is_unique then 'booked' end
    where id = any(emptied);
  end if;
  if true = any(animals) then
    insert into animal_claims (product_id, order_id, phone, browser_key, network_key)
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
