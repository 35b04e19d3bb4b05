-- Sales at the counter are written as orders of a rush are: a list of them in one statement.

-- An order that is paid as it is written counts its money itself; adding it later would write its row, and its fifteen indexes, twice.
alter table ledger_entries add column paid_with_order boolean not null default false;

create or replace function add_to_paid() returns trigger language plpgsql as $function$
begin
  update orders o set paid_poisha = o.paid_poisha + a.amount, refunded_poisha = o.refunded_poisha + a.refunded,
    settled_poisha = o.settled_poisha + a.settled
  from (
    select order_id, sum(amount_poisha)::bigint as amount, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount_poisha) filter (where kind = 'settlement'), 0)::bigint as settled
    from added where not paid_with_order group by order_id
  ) a where o.id = a.order_id;
  return null;
end $function$;

-- As before; what the staff write may have a status, a clerk, and money in it. A line without a version is not compared.
CREATE OR REPLACE FUNCTION place_orders(wanted jsonb, patient boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
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

  insert into orders (id, source, status, customer_id, name, phone, email, alternate_phone, address, landmark, note, area_id, lang,
    subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
    list_on, placed_at, updated_at, expires_at, browser_hash, view_key, tracking_code, idempotency_key, request_hash, paid_poisha)
  overriding system value
  select ids[w.place], w.source, coalesce(w.status, 'placed'), buyers[w.place], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at,
    coalesce(w.updated_at, now()), w.expires_at, decode(w.browser_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key,
    decode(w.request_hash, 'hex'), coalesce(w.paid_poisha, 0)
  from jsonb_to_recordset(wanted) as w(place integer, source text, status text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, updated_at timestamptz, expires_at timestamptz, browser_hash text, view_key text, tracking_code text,
    idempotency_key text, request_hash text, paid_poisha bigint)
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

-- Sales of the till, each in its cashier's open shift: order, money by means, what lay on the counter, and the log. One that is not plain
-- (no open shift or another one, its key or its shift in somebody's hands) is not written, and answered with nothing; patiently, it is waited for.
-- `nobody`: names that stand for a customer who said none.
create function sell_at_till(wanted jsonb, patient boolean, nobody text[]) returns jsonb language plpgsql set enable_seqscan to 'off' as $function$
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
      select s.id into shift from till_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share;
    else
      continue when not pg_try_advisory_xact_lock(hashtextextended(sale.idempotency_key, 0));
      -- Held until the end: whoever closes the shift waits, and counts this sale.
      select s.id into shift from till_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share skip locked;
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
  insert into till_sales (order_id, shift_id, tendered_poisha, change_poisha)
  select ids[w.place], w.shift_id, w.tendered_poisha, w.change_poisha
  from jsonb_to_recordset(sales) as w(place integer, shift_id bigint, tendered_poisha bigint, change_poisha bigint) where ids[w.place] is not null;
  insert into audit_log (actor_id, action, subject, subject_id, after, ip)
  select w.clerk_id, 'created', 'order', ids[w.place]::text, w.log, w.ip
  from jsonb_to_recordset(sales) as w(place integer, clerk_id bigint, log jsonb, ip text) where ids[w.place] is not null;
  return to_jsonb(answers);
end $function$;
