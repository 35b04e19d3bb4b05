-- Delivery days and collection at the farm.
--
-- A chosen delivery day is the list day of the order (`list_on`), so that everything that reads `deliver_on` follows it. An order that its
-- customer collects has no delivery charge and no area; its address is that of the place of collection.
alter table orders add column is_collection boolean not null default false;

-- Changed: `is_collection` of the order. Orders of the release before have none and are delivered.
create or replace function insert_orders(orders jsonb, wait_for_locks boolean) returns jsonb
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $function$
declare
  -- The locked products. Parallel arrays, in the order of the ids; a product without stock tracking has no stock.
  product_ids bigint[];
  buyable boolean[];
  product_versions integer[];
  is_animal boolean[];
  stocks bigint[];
  remaining bigint[];
  delivery_dates date[];
  remaining_before bigint[];
  -- By batch_index. An order without an id is not inserted.
  results jsonb[] := '{}';
  order_ids bigint[] := '{}';
  customer_ids bigint[] := '{}';
  has_new_customers boolean := false;
  is_online boolean := false;
  has_delivery_dates boolean;
  input record;
  line jsonb;
  line_product_id bigint;
  quantity bigint;
  slot integer;
  rejection text;
  locked_product_id bigint;
  details jsonb;
  catalog_changed boolean;
  reduced bigint[] := '{}';
  emptied bigint[] := '{}';
  -- Animals of the current order; holds of earlier orders of this batch, which are not in a table yet.
  animal_count integer;
  holds_taken jsonb := '[]';
  holds_locked boolean := false;
begin
  if wait_for_locks then
    perform 1 from products p where p.id = any(array(
      select l.product_id from jsonb_to_recordset(orders) as w(lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)))
      order by p.id for update;
  end if;
  -- Locks all products in the order of their ids. Products that others have locked are skipped.
  select coalesce(array_agg(p.id), '{}'), coalesce(array_agg(p.visible and p.status in ('in-stock', 'pre-book')), '{}'),
    coalesce(array_agg(p.version), '{}'), coalesce(array_agg(p.is_unique), '{}'), coalesce(array_agg(p.stock_milli::bigint), '{}'),
    coalesce(array_agg(p.delivery_on), '{}')
  into product_ids, buyable, product_versions, is_animal, stocks, delivery_dates
  from (
    select p.id, p.visible, p.status, p.version, p.is_unique, p.stock_milli, p.delivery_on from products p where p.id = any(array(
      select l.product_id from jsonb_to_recordset(orders) as w(lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)))
    order by p.id for update skip locked
  ) p;
  remaining := stocks;
  has_delivery_dates := array_remove(delivery_dates, null) <> '{}';

  for input in
    -- One index lookup per order: the planner would estimate a hundred orders for a join, and read whole indexes.
    select w.batch_index, w.request_hash, w.lines, w.phone, w.holds, w.tran_id is not null as is_online,
      coalesce(w.status in ('cancelled', 'returned'), false) as is_ended,
      (select o.id from orders o where o.idempotency_key = w.idempotency_key) as earlier,
      -- The phone identifies a guest. The data of an existing customer stays unchanged.
      coalesce(w.customer_id, (select u.id from users u where u.phone = w.phone)) as customer
    from jsonb_to_recordset(orders) as w(batch_index integer, idempotency_key text, request_hash text, customer_id bigint, phone text,
      status text, tran_id text, lines jsonb, holds jsonb) order by w.batch_index
  loop
    order_ids[input.batch_index] := null;
    if input.earlier is not null then
      results[input.batch_index] := case when (select o.request_hash from orders o where o.id = input.earlier) = decode(input.request_hash, 'hex')
        then jsonb_build_object('order_id', input.earlier, 'replayed', true) else jsonb_build_object('reason', 'key-reused') end;
      continue;
    end if;

    rejection := null;
    details := '[]';
    catalog_changed := false;
    animal_count := 0;
    remaining_before := remaining;
    -- An order that the staff enter as ended takes no stock.
    for n in 0 .. case when input.is_ended then -1 else jsonb_array_length(input.lines) - 1 end loop
      line := input.lines -> n;
      line_product_id := line -> 'product_id';
      quantity := line -> 'quantity_milli';
      slot := array_position(product_ids, line_product_id);
      if slot is null then
        rejection := case when wait_for_locks then 'stale' else 'busy' end;
        locked_product_id := line_product_id;
        exit;
      elsif not buyable[slot] then
        details := details || jsonb_build_object('product_id', line_product_id, 'reason', 'not-available');
      elsif product_versions[slot] <> (line -> 'version')::integer then
        rejection := 'stale';
        exit;
      elsif remaining[slot] < quantity then
        details := details || jsonb_build_object('product_id', line_product_id, 'reason', 'not-enough', 'left_milli', remaining[slot]);
      else
        remaining[slot] := remaining[slot] - quantity;
        catalog_changed := catalog_changed or remaining[slot] is not distinct from 0;
        animal_count := animal_count + is_animal[slot]::integer;
      end if;
    end loop;
    if rejection is null and details <> '[]' then
      rejection := 'not-available';
    end if;
    if rejection is not null then
      remaining := remaining_before;
      results[input.batch_index] := jsonb_build_object('reason', rejection) || case rejection
        when 'not-available' then jsonb_build_object('lines', details) when 'busy' then jsonb_build_object('product_id', locked_product_id) else '{}' end;
      continue;
    end if;

    if animal_count > 0 and input.holds ->> 'per_phone' is not null then
      -- Orders of animals count each other's holds, so this lock serializes them, after the product locks. Other orders do not wait.
      if not holds_locked then
        perform pg_advisory_xact_lock(hashtextextended('animal holds', 0));
        holds_locked := true;
      end if;
      details := exceeded_hold_limit(input.phone, input.holds, animal_count, holds_taken);
      if details is not null then
        remaining := remaining_before;
        results[input.batch_index] := jsonb_build_object('reason', 'too-many-held') || details;
        continue;
      end if;
      holds_taken := holds_taken || (input.holds || jsonb_build_object('phone', input.phone, 'animals', animal_count));
    end if;

    has_new_customers := has_new_customers or input.customer is null;
    is_online := is_online or input.is_online;
    customer_ids[input.batch_index] := input.customer;
    order_ids[input.batch_index] := nextval('orders_id_seq');
    results[input.batch_index] := jsonb_build_object('order_id', order_ids[input.batch_index], 'replayed', false, 'catalog_changed', catalog_changed);
  end loop;
  if array_remove(order_ids, null) = '{}' then
    return to_jsonb(results);
  end if;

  if has_new_customers then
    for input in
      with guest as (
        select * from jsonb_to_recordset(orders) as w(batch_index integer, name text, phone text, email text)
        where order_ids[w.batch_index] is not null and customer_ids[w.batch_index] is null
      ), created as (
        insert into users (name, phone, email) select distinct on (phone) name, phone, nullif(email, '') from guest order by phone, batch_index
        on conflict (phone) do update set phone = excluded.phone returning id, phone
      )
      select guest.batch_index, created.id from guest join created on created.phone = guest.phone
    loop
      customer_ids[input.batch_index] := input.id;
    end loop;
  end if;

  insert into orders (id, source, status, customer_id, name, phone, email, alternate_phone, address, landmark, note, remarks, reason, area_id, lang,
    subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
    list_on, placed_at, updated_at, expires_at, access_token_hash, view_key, tracking_code, idempotency_key, request_hash, ledger_balance_poisha, phone_verified,
    deliveries, is_collection, goods_on)
  overriding system value
  select order_ids[w.batch_index], w.source, coalesce(w.status, 'placed'), customer_ids[w.batch_index], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), coalesce(w.remarks, ''), w.reason, w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at,
    coalesce(w.updated_at, now()), w.expires_at, decode(w.access_token_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key,
    decode(w.request_hash, 'hex'), coalesce(w.ledger_balance_poisha, 0), coalesce(w.phone_verified, false),
    coalesce(w.deliveries, 1), coalesce(w.is_collection, false), case when has_delivery_dates and coalesce(w.status, 'placed') in ('placed', 'processing') then (
      select max(delivery_dates[array_position(product_ids, l.product_id)]) from jsonb_to_recordset(w.lines) as l(product_id bigint)) end
  from jsonb_to_recordset(orders) as w(batch_index integer, source text, status text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, remarks text, reason text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, updated_at timestamptz, expires_at timestamptz, access_token_hash text, view_key text, tracking_code text,
    idempotency_key text, request_hash text, ledger_balance_poisha bigint, phone_verified boolean, deliveries smallint, is_collection boolean, lines jsonb)
  where order_ids[w.batch_index] is not null;

  insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
    line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha, delivery_on)
  select order_ids[w.batch_index], l.position, l.product_id, l.name_en, l.name_bn, l.unit, l.quantity_milli, l.base_price_poisha, l.price_poisha,
    l.line_total_poisha, l.advance_poisha, l.tag_number, l.booked_grams, l.booked_rate_poisha,
    case when has_delivery_dates and coalesce(w.status, 'placed') in ('placed', 'processing') then delivery_dates[array_position(product_ids, l.product_id)] end
  from jsonb_to_recordset(orders) as w(batch_index integer, status text, lines jsonb), jsonb_to_recordset(w.lines) as l(position smallint, product_id bigint,
    name_en text, name_bn text, unit text, quantity_milli bigint, base_price_poisha bigint, price_poisha bigint, line_total_poisha bigint,
    advance_poisha bigint, tag_number text, booked_grams integer, booked_rate_poisha bigint)
  where order_ids[w.batch_index] is not null;

  for slot in 1 .. cardinality(product_ids) loop
    if remaining[slot] = 0 and stocks[slot] > 0 then
      emptied := emptied || product_ids[slot];
    elsif remaining[slot] < stocks[slot] then
      reduced := reduced || product_ids[slot];
    end if;
  end loop;
  if reduced <> '{}' then
    -- Most orders change only the stock: no trigger fires and no index changes.
    update products p set stock_milli = remaining[array_position(product_ids, p.id)] where p.id = any(reduced);
  end if;
  if emptied <> '{}' then
    update products p set stock_milli = 0, (status, hold_reason) = (
      select s.status, s.hold_reason from next_product_state('reserve', p.is_unique, p.status, p.hold_reason, 0) s)
    where p.id = any(emptied);
  end if;
  if true = any(is_animal) then
    insert into animal_holds (product_id, order_id, phone, browser_key, network_key)
    select l.product_id, order_ids[w.batch_index], case when w.holds is not null then w.phone end, decode(w.holds ->> 'browser', 'hex'),
      decode(w.holds ->> 'network', 'hex')
    from jsonb_to_recordset(orders) as w(batch_index integer, status text, phone text, holds jsonb, lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint)
    where order_ids[w.batch_index] is not null and coalesce(w.status, 'placed') not in ('cancelled', 'returned') and is_animal[array_position(product_ids, l.product_id)];
  end if;
  insert into stock_movements (product_id, order_id, delta_milli, reason)
  select l.product_id, order_ids[w.batch_index], -l.quantity_milli, 'ordered'
  from jsonb_to_recordset(orders) as w(batch_index integer, status text, lines jsonb), jsonb_to_recordset(w.lines) as l(product_id bigint, quantity_milli bigint)
  where order_ids[w.batch_index] is not null and coalesce(w.status, 'placed') not in ('cancelled', 'returned') and stocks[array_position(product_ids, l.product_id)] is not null;

  insert into order_events (order_id, at, actor, actor_id, kind, to_status, detail)
  select order_ids[w.batch_index], coalesce(w.updated_at, w.placed_at), case when w.clerk_id is null then 'customer' else 'staff' end,
    coalesce(w.clerk_id, w.customer_id), 'placed', coalesce(w.status, 'placed'), coalesce(w.detail, '{}')
  from jsonb_to_recordset(orders) as w(batch_index integer, placed_at timestamptz, updated_at timestamptz, customer_id bigint, clerk_id bigint,
    status text, detail jsonb) where order_ids[w.batch_index] is not null;

  -- Inserted with the order, so that only one of several concurrent calls opens the payment page.
  if is_online then
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, created_at, updated_at)
    select order_ids[w.batch_index], w.payment_gateway, w.tran_id, w.payable_poisha, w.placed_at, w.placed_at
    from jsonb_to_recordset(orders) as w(batch_index integer, payment_gateway text, tran_id text, payable_poisha bigint, placed_at timestamptz)
    where order_ids[w.batch_index] is not null and w.tran_id is not null;
  end if;

  insert into sms_outbox (purpose, order_id, template, phone, body)
  select 'order', order_ids[w.batch_index], 'order-placed', w.phone, replace(w.sms_body, '{order}', order_ids[w.batch_index]::text)
  from jsonb_to_recordset(orders) as w(batch_index integer, phone text, sms_body text) where order_ids[w.batch_index] is not null and w.sms_body is not null;

  return to_jsonb(results);
end $function$;

-- The orders that take a place of a day: those with a delivery on it that contains products of the group, counted up to `max`. Unpaid orders
-- hold their place; collected, cancelled and returned orders have none.
create function count_deliveries_on(day date, of_group text, max integer) returns integer language sql stable as $$
  select count(*)::integer from (
    select 1 from orders o where (o.deliver_on = day
        or (o.deliveries = 2 and o.deliver_on > day and o.list_on <= day and first_delivery_on(o) = day))
      and not o.is_collection and o.status not in ('cancelled', 'returned')
      and exists (select 1 from order_lines l join products p on p.id = l.product_id join categories c on c.id = p.category_id
        where l.order_id = o.id and c.delivery_group = of_group and line_delivery_on(o, l.delivery_on) = day)
    limit max) taken
$$;

-- Inserts one order within the capacity of its delivery days. `capacity`: [{day, group, max}], sorted by day and group. Advisory locks let
-- one order after the other count a day, before any row is locked. A full day is the reason 'day-full', and nothing is written.
create function insert_order_within_capacity(new_order jsonb) returns jsonb language plpgsql as $$
declare
  place record;
begin
  if not exists (select 1 from orders o where o.idempotency_key = new_order ->> 'idempotency_key') then
    for place in select c.day, c."group", c.max from jsonb_to_recordset(new_order -> 'capacity') as c(day date, "group" text, max integer)
    loop
      perform pg_advisory_xact_lock(hashtextextended('delivery day ' || place.day || ' ' || place."group", 0));
      if count_deliveries_on(place.day, place."group", place.max) >= place.max then
        return jsonb_build_object('reason', 'day-full', 'day', place.day);
      end if;
    end loop;
  end if;
  return case when new_order -> 'coupon' = 'null' then insert_order(new_order) else insert_order_with_coupon(new_order) end;
end $$;
