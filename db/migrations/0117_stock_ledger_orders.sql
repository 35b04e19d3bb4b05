-- Stock, ledger and order functions take standard names, and each rule gets one definition:
-- `next_product_state` (status and hold of a product), `move_stock` (movements, counts, holds), `insert_orders` (every new order).

alter table orders rename column paid_poisha to ledger_balance_poisha;
alter table orders rename column settled_poisha to settlement_poisha;

drop trigger ledger_entries_paid on ledger_entries;
drop function add_to_paid();
create function update_ledger_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders o set ledger_balance_poisha = o.ledger_balance_poisha + a.amount, refunded_poisha = o.refunded_poisha + a.refunded,
    settlement_poisha = o.settlement_poisha + a.settlement
  from (
    select order_id, sum(amount_poisha)::bigint as amount, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount_poisha) filter (where kind = 'settlement'), 0)::bigint as settlement
    from added where not paid_with_order group by order_id
  ) a where o.id = a.order_id;
  return null;
end $function$;
create trigger ledger_entries_balance after insert on ledger_entries referencing new table as added
  for each statement execute function update_ledger_balance();

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
    and o.ledger_balance_poisha <= 0 and o.status in ('placed', 'cancelled')) then
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
  where (c.phone = of_phone or c.browser_key = of_browser or c.network_key = of_network) and o.status = 'placed' and o.ledger_balance_poisha <= 0;
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


-- The only definition of how a stock movement changes a product's status and hold reason. Counted goods follow their count: zero is
-- out of stock. An animal follows the movement. features/stock/rules.ts holds the same table; a test compares both.
create function next_product_state(movement text, is_animal boolean, old_status text, old_hold_reason text, new_stock_milli bigint)
 RETURNS TABLE(status text, hold_reason text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select n.status, case
      when n.status <> 'hold' then null
      when is_animal and movement = 'reserve' then 'booked'
      when is_animal and movement = 'return' then 'returned'
      else old_hold_reason
    end
  from (select case
      when movement = 'unhold' then 'in-stock'
      when not is_animal then case
        when new_stock_milli = 0 then 'out-of-stock'
        when new_stock_milli > 0 and old_status = 'out-of-stock' then 'in-stock'
        else old_status end
      when movement in ('reserve', 'return') then 'hold'
      when movement = 'release' then 'in-stock'
      when movement = 'write-off' then 'out-of-stock'
      when movement = 'sell' and old_status = 'hold' then 'sold'
      else old_status
    end as status) n
$function$;

-- The only writer of stock movements, of the stock that follows them, and of holds, except for the batch in insert_orders.
-- `moves`: [{product_id, movement, delta_milli, order_id, reason, count_milli}]. The products must be locked. Several moves of one
-- product are added up; its last movement decides its state. `count` sets the stock to count_milli (null: not counted).
create function move_stock(moves jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if coalesce(jsonb_array_length(moves), 0) = 0 then
    return;
  end if;
  insert into stock_movements (product_id, order_id, delta_milli, reason)
  select (m.move ->> 'product_id')::bigint, (m.move ->> 'order_id')::bigint, (m.move ->> 'delta_milli')::bigint, m.move ->> 'reason'
  from jsonb_array_elements(moves) with ordinality as m(move, n)
  where (m.move ->> 'delta_milli')::bigint <> 0 order by (m.move ->> 'product_id')::bigint, m.n;

  update products p set
    stock_milli = case when m.movement = 'count' then m.count_milli else p.stock_milli + m.delta_milli end,
    (status, hold_reason) = (select s.status, s.hold_reason from next_product_state(m.movement, p.is_unique, p.status, p.hold_reason,
      case when m.movement = 'count' then m.count_milli else p.stock_milli + m.delta_milli end) s)
  from (
    select (e.move ->> 'product_id')::bigint as product_id, coalesce(sum((e.move ->> 'delta_milli')::bigint), 0)::bigint as delta_milli,
      (array_agg(e.move ->> 'movement' order by e.n desc))[1] as movement, max((e.move ->> 'count_milli')::bigint) as count_milli
    from jsonb_array_elements(moves) with ordinality as e(move, n) group by 1
  ) m where p.id = m.product_id;

  delete from animal_holds h using jsonb_to_recordset(moves) as m(product_id bigint, movement text, order_id bigint)
  where h.product_id = m.product_id and h.order_id = m.order_id and m.movement in ('release', 'return');
  delete from returned_animals r using jsonb_to_recordset(moves) as m(product_id bigint, movement text)
  where r.product_id = m.product_id and m.movement in ('reserve', 'write-off', 'unhold');
  insert into animal_holds (product_id, order_id)
  select p.id, m.order_id from jsonb_to_recordset(moves) as m(product_id bigint, movement text, order_id bigint)
  join products p on p.id = m.product_id where p.is_unique and m.movement = 'reserve';
  insert into returned_animals (product_id, order_id)
  select p.id, m.order_id from jsonb_to_recordset(moves) as m(product_id bigint, movement text, order_id bigint)
  join products p on p.id = m.product_id where p.is_unique and p.hold_reason = 'returned' and m.movement = 'return'
  on conflict (product_id) do update set order_id = excluded.order_id, returned_at = now(), is_ill = false, note = '';
end $function$;

drop function free_stock(bigint);
drop function settle_stock(bigint, jsonb);
drop function stock_changes(bigint, jsonb);

create function stock_changes(for_order bigint, lines jsonb)
 RETURNS TABLE(product_id bigint, is_new boolean, visible boolean, status text, is_unique boolean, stock_milli bigint, more_milli bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select p.id, coalesce(w.is_new, false), p.visible, p.status::text, p.is_unique, p.stock_milli::bigint,
    case when p.stock_milli is null then 0 else coalesce(w.milli, 0) - coalesce(o.milli, 0) end
  from (
    select l.product_id, bool_or(coalesce(l.is_new, false)) as is_new, sum(l.quantity_milli)::bigint as milli
    from jsonb_to_recordset(lines) as l(product_id bigint, quantity_milli bigint, is_new boolean) group by l.product_id) w
  full join (
    select m.product_id, -sum(m.delta_milli)::bigint as milli from stock_movements m where m.order_id = for_order group by m.product_id) o
    on o.product_id = w.product_id
  join products p on p.id = coalesce(w.product_id, o.product_id)
  order by p.id
$function$;


-- Reserves and releases until the order holds exactly these lines. Returns the products that are not available, and moves nothing then;
-- null on success. A product that is new in the order must be for sale. Animals of an order that was sent become `returned`.
create function sync_order_stock(for_order bigint, lines jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  line record;
  unavailable jsonb := '[]';
  moves jsonb := '[]';
  was_sent boolean := (select status in ('on_delivery', 'delivered', 'completed') from orders where id = for_order);
begin
  perform 1 from products where id in (
    select l.product_id from jsonb_to_recordset(lines) as l(product_id bigint)
    union select product_id from stock_movements where order_id = for_order) order by id for update;
  for line in select * from stock_changes(for_order, lines) loop
    if line.is_new and (not line.visible or line.status not in ('in-stock', 'pre-book')) then
      unavailable := unavailable || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.is_unique and (line.stock_milli < line.more_milli or (line.status not in ('in-stock', 'pre-book')
      -- A reopened order takes back its own animal that came back and is not released.
      and not exists (select 1 from returned_animals r where r.product_id = line.product_id and r.order_id = for_order and not r.is_ill))) then
      unavailable := unavailable || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif line.more_milli > 0 and line.stock_milli < line.more_milli then
      unavailable := unavailable || jsonb_build_object('product_id', line.product_id, 'reason', 'not-enough', 'left_milli', line.stock_milli);
    elsif line.more_milli <> 0 then
      moves := moves || jsonb_build_object('product_id', line.product_id, 'order_id', for_order, 'delta_milli', -line.more_milli,
        'movement', case when line.more_milli > 0 then 'reserve' when was_sent then 'return' else 'release' end,
        'reason', case when line.more_milli > 0 then 'ordered' else 'freed' end);
    end if;
  end loop;
  if unavailable <> '[]' then
    return unavailable;
  end if;
  perform move_stock(moves);
  return null;
end $function$;

drop function sell_at_till(jsonb, boolean, text[]);
drop function place_order_with_coupon(jsonb);
drop function place_order(jsonb);
drop function place_orders(jsonb, boolean);


-- Inserts a batch of orders with all that belongs to them, and returns one result per order. `orders`: rows with batch_index 1, 2, …
-- Without wait_for_locks an order whose product is locked gets the reason `busy`. Every order of the shop is inserted here.
create function insert_orders(orders jsonb, wait_for_locks boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
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
    deliveries, goods_on)
  overriding system value
  select order_ids[w.batch_index], w.source, coalesce(w.status, 'placed'), customer_ids[w.batch_index], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), coalesce(w.remarks, ''), w.reason, w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at,
    coalesce(w.updated_at, now()), w.expires_at, decode(w.access_token_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key,
    decode(w.request_hash, 'hex'), coalesce(w.ledger_balance_poisha, 0), coalesce(w.phone_verified, false),
    coalesce(w.deliveries, 1), case when has_delivery_dates and coalesce(w.status, 'placed') in ('placed', 'processing') then (
      select max(delivery_dates[array_position(product_ids, l.product_id)]) from jsonb_to_recordset(w.lines) as l(product_id bigint)) end
  from jsonb_to_recordset(orders) as w(batch_index integer, source text, status text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, remarks text, reason text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, updated_at timestamptz, expires_at timestamptz, access_token_hash text, view_key text, tracking_code text,
    idempotency_key text, request_hash text, ledger_balance_poisha bigint, phone_verified boolean, deliveries smallint, lines jsonb)
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


create function insert_order(new_order jsonb)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  select insert_orders(jsonb_build_array(new_order), true) -> 0
$function$;

create function insert_order_with_coupon(new_order jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  result jsonb;
  rejection text;
begin
  result := insert_order(new_order);
  if result ->> 'order_id' is null or (result ->> 'replayed')::boolean then
    return result;
  end if;
  rejection := redeem_coupon((result ->> 'order_id')::bigint, new_order -> 'coupon');
  if rejection is not null then
    -- Rolls back the order that was written above.
    raise exception sqlstate 'KH001';
  end if;
  return result;
exception when sqlstate 'KH001' then
  return case rejection when 'stale' then jsonb_build_object('reason', 'stale') else jsonb_build_object('reason', 'coupon', 'coupon', rejection) end;
end $function$;


-- Inserts a batch of POS sales: orders by insert_orders, their payments, and the audit log. The sale key and the shift are locked first.
create function insert_pos_sales(orders jsonb, wait_for_locks boolean, walk_in_names text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  ready jsonb[] := '{}';
  -- By the index of a sale in `ready`: its index in `orders`, and its order id.
  result_indexes integer[] := '{}';
  order_ids bigint[] := '{}';
  results jsonb[] := '{}';
  renamed bigint[] := '{}';
  sale record;
  customer record;
  shift bigint;
  sales jsonb;
  inserted jsonb;
begin
  for sale in
    select e.at, e.value as body, w.* from jsonb_array_elements(orders) with ordinality as e(value, at),
      jsonb_to_record(e.value) as w(idempotency_key text, clerk_id bigint, shift_id bigint, phone text, name text, walk_in text)
  loop
    results[sale.at] := '{}';
    if wait_for_locks then
      perform pg_advisory_xact_lock(hashtextextended(sale.idempotency_key, 0));
      select s.id into shift from pos_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share;
    else
      continue when not pg_try_advisory_xact_lock(hashtextextended(sale.idempotency_key, 0));
      -- The share lock lasts until commit: closing the shift waits for it and counts this sale.
      select s.id into shift from pos_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share skip locked;
    end if;
    continue when shift is null or shift <> sale.shift_id;
    select u.id, u.name into customer from users u where u.phone = sale.phone;
    if sale.name <> '' and customer.name = any(walk_in_names) then
      renamed := renamed || customer.id;
    end if;
    result_indexes := result_indexes || sale.at::integer;
    ready := ready || (sale.body || jsonb_build_object('batch_index', cardinality(result_indexes), 'shift_id', shift, 'customer_id', customer.id,
      'name', coalesce(nullif(sale.name, ''), customer.name, sale.walk_in)));
  end loop;
  if result_indexes = '{}' then
    return to_jsonb(results);
  end if;

  sales := to_jsonb(ready);
  inserted := insert_orders(sales, wait_for_locks);
  for at in 1 .. cardinality(result_indexes) loop
    results[result_indexes[at]] := inserted -> (at - 1);
    order_ids[at] := case when not (inserted -> (at - 1) ->> 'replayed')::boolean then (inserted -> (at - 1) ->> 'order_id')::bigint end;
  end loop;
  if array_remove(order_ids, null) = '{}' then
    return to_jsonb(results);
  end if;

  if renamed <> '{}' then
    perform 1 from users where id = any(renamed) order by id for no key update;
    update users u set name = w.name from jsonb_to_recordset(sales) as w(batch_index integer, customer_id bigint, name text)
    where order_ids[w.batch_index] is not null and u.id = w.customer_id and u.id = any(renamed) and u.name = any(walk_in_names);
  end if;
  insert into ledger_entries (order_id, kind, method, amount_poisha, reference, actor_id, at, shift_id, paid_with_order)
  select order_ids[w.batch_index], 'counter', m.method, m.amount_poisha, m.reference, w.clerk_id, w.placed_at, w.shift_id, true
  from jsonb_to_recordset(sales) as w(batch_index integer, clerk_id bigint, placed_at timestamptz, shift_id bigint, tenders jsonb),
    jsonb_to_recordset(w.tenders) as m(method text, amount_poisha bigint, reference text)
  where order_ids[w.batch_index] is not null;
  insert into pos_sales (order_id, shift_id, tendered_poisha, change_poisha)
  select order_ids[w.batch_index], w.shift_id, w.tendered_poisha, w.change_poisha
  from jsonb_to_recordset(sales) as w(batch_index integer, shift_id bigint, tendered_poisha bigint, change_poisha bigint) where order_ids[w.batch_index] is not null;
  insert into audit_log (actor_id, action, subject, subject_id, after, ip)
  select w.clerk_id, 'created', 'order', order_ids[w.batch_index]::text, w.log, w.ip
  from jsonb_to_recordset(sales) as w(batch_index integer, clerk_id bigint, log jsonb, ip text) where order_ids[w.batch_index] is not null;
  return to_jsonb(results);
end $function$;
