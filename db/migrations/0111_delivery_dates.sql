-- The delivery date of an order is the latest of its list day (evening cut-off) and the delivery dates of all its goods, not of its
-- animals alone. Each line records the date that its product had when it was ordered. An order may come in two deliveries.
alter table order_lines add column delivery_on date;
create index order_lines_delivery on order_lines (product_id, delivery_on) where delivery_on is not null;

-- goods_on: the latest delivery date of its lines. deliver_on is still greatest(list_on, goods_on).
alter table orders rename column animals_on to goods_on;
alter table orders add column deliveries smallint not null default 1 constraint one_or_two_deliveries check (deliveries in (1, 2));
create index orders_two_deliveries on orders (deliver_on, list_on) where deliveries = 2;

drop trigger order_lines_added_day on order_lines;
drop trigger order_lines_taken_day on order_lines;
drop trigger products_day on products;
drop trigger orders_reopened on orders;
drop function follow_lines_with_day();
drop function follow_animal_with_day();
drop function follow_reopening_with_day();
drop function day_of_animals(bigint);

create function goods_delivery_on(of_order bigint) returns date language sql stable as $$
  select max(l.delivery_on) from order_lines l where l.order_id = of_order
$$;

-- The date of the first of two deliveries: the earliest date on which any of its goods can come. Null where everything comes at once.
create function first_delivery_on(o orders) returns date language sql stable as $$
  select case when o.deliveries = 2 then (
    select nullif(min(greatest(o.list_on, l.delivery_on)), o.deliver_on) from order_lines l where l.order_id = o.id) end
$$;

-- The date on which a line with this delivery date comes: with the first delivery where it can, else with the last one.
create function line_delivery_on(o orders, line_date date) returns date language sql stable as $$
  select case when o.deliveries = 2 and greatest(o.list_on, line_date) = first_delivery_on(o) then greatest(o.list_on, line_date)
    else o.deliver_on end
$$;

-- Orders that are neither sent nor ended get their goods' dates; the animals of sent ones have theirs already.
update order_lines l set delivery_on = p.delivery_on from products p, orders o
where p.delivery_on is not null and l.product_id = p.id and o.id = l.order_id
  and (o.status in ('placed', 'processing') or (o.status = 'on_delivery' and p.is_unique));
update orders o set goods_on = goods_delivery_on(o.id)
where o.status in ('placed', 'processing') and o.goods_on is distinct from goods_delivery_on(o.id);

create function set_order_delivery() returns trigger language plpgsql as $$
declare
  changed bigint := coalesce(new.order_id, old.order_id);
  latest date := goods_delivery_on(changed);
begin
  update orders set goods_on = latest where id = changed and goods_on is distinct from latest;
  return null;
end $$;
create trigger order_lines_delivery_added after insert on order_lines for each row when (new.delivery_on is not null)
  execute function set_order_delivery();
create trigger order_lines_delivery_removed after delete on order_lines for each row when (old.delivery_on is not null)
  execute function set_order_delivery();

-- A changed delivery date of a product moves the orders that are not sent yet: all orders of an animal, and of other goods those
-- promised for a later day. An order of goods that were to come by today keeps its date: its stock is set aside.
-- The orders are locked first: the dates are computed after the wait.
create function move_orders_of_product() returns trigger language plpgsql as $$
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
  update orders o set goods_on = goods_delivery_on(o.id)
  where o.id = any(moved) and o.status in ('placed', 'processing') and o.goods_on is distinct from goods_delivery_on(o.id);
  return null;
end $$;
create trigger products_delivery after update of delivery_on on products for each row
  when (old.delivery_on is distinct from new.delivery_on) execute function move_orders_of_product();

-- A reopened order comes on the dates that its goods have by then.
create function set_reopened_delivery() returns trigger language plpgsql as $$
begin
  update order_lines l set delivery_on = p.delivery_on from products p
  where l.order_id = new.id and p.id = l.product_id and l.delivery_on is distinct from p.delivery_on;
  new.goods_on := goods_delivery_on(new.id);
  return new;
end $$;
create trigger orders_reopened before update of status on orders for each row
  when (old.status not in ('placed', 'processing', 'on_delivery') and new.status in ('placed', 'processing', 'on_delivery'))
  execute function set_reopened_delivery();

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
    list_on, placed_at, updated_at, expires_at, browser_hash, view_key, tracking_code, idempotency_key, request_hash, paid_poisha, phone_proven,
    deliveries, goods_on)
  overriding system value
  select ids[w.place], w.source, coalesce(w.status, 'placed'), buyers[w.place], w.name, w.phone, coalesce(w.email, ''), coalesce(w.alternate_phone, ''), w.address,
    coalesce(w.landmark, ''), coalesce(w.note, ''), w.area_id, w.lang, w.subtotal_poisha, w.shipping_poisha, w.discount_poisha,
    w.total_poisha, w.payment_type, w.payment_gateway, w.payable_poisha, w.is_free_order, w.list_on, w.placed_at,
    coalesce(w.updated_at, now()), w.expires_at, decode(w.browser_hash, 'hex'), w.view_key, w.tracking_code, w.idempotency_key,
    decode(w.request_hash, 'hex'), coalesce(w.paid_poisha, 0), coalesce(w.phone_proven, false),
    coalesce(w.deliveries, 1), case when has_delivery_dates and coalesce(w.status, 'placed') in ('placed', 'processing') then (
      select max(delivery_dates[array_position(goods, l.product_id)]) from jsonb_to_recordset(w.lines) as l(product_id bigint)) end
  from jsonb_to_recordset(wanted) as w(place integer, source text, status text, name text, phone text, email text, alternate_phone text, address text,
    landmark text, note text, area_id integer, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint,
    total_poisha bigint, payment_type text, payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date,
    placed_at timestamptz, updated_at timestamptz, expires_at timestamptz, browser_hash text, view_key text, tracking_code text,
    idempotency_key text, request_hash text, paid_poisha bigint, phone_proven boolean, deliveries smallint, lines jsonb)
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
