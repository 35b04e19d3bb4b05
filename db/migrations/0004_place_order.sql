-- The one act that must never go wrong, in one round trip: take the stock and write the order, or write nothing.
-- The caller has computed every sum from the facts it read; each line carries the version of its product,
-- so that an order computed from old facts is refused as 'stale' and computed again.

-- Locks the wanted products in id order (two orders can then never wait for each other in a ring) and says what
-- stands in the way: null when all can be had.
create function lock_and_check_lines(lines jsonb) returns jsonb
language plpgsql as $$
declare
  line record;
  product record;
  refused jsonb := '[]';
begin
  for line in
    select l.product_id, l.version, l.quantity_milli
    from jsonb_to_recordset(lines) as l(product_id bigint, version int, quantity_milli bigint) order by l.product_id
  loop
    -- One by one through the key: a join would be planned for a hundred lines, and read the whole table for one.
    select p.status, p.visible, p.version, p.stock_milli into product from products p where p.id = line.product_id for update;
    if not found then
      return jsonb_build_object('reason', 'stale');
    elsif not product.visible or product.status not in ('in-stock', 'pre-book') then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-available');
    elsif product.version <> line.version then
      return jsonb_build_object('reason', 'stale');
    elsif product.stock_milli < line.quantity_milli then
      refused := refused || jsonb_build_object('product_id', line.product_id, 'reason', 'not-enough', 'left_milli', product.stock_milli);
    end if;
  end loop;
  if jsonb_array_length(refused) > 0 then
    return jsonb_build_object('reason', 'not-available', 'lines', refused);
  end if;
  return null;
end $$;

-- Takes the stock of the locked and checked lines for the order: animals go to hold and are claimed, counted goods go
-- out of stock at zero. Says whether anything changed that shoppers see.
create function take_stock(for_order bigint, lines jsonb) returns boolean
language plpgsql as $$
declare
  line record;
  product record;
  shown boolean := false;
begin
  for line in
    select l.product_id, l.quantity_milli from jsonb_to_recordset(lines) as l(product_id bigint, quantity_milli bigint) order by l.product_id
  loop
    select p.is_unique, p.stock_milli into product from products p where p.id = line.product_id;
    continue when product.stock_milli is null;
    if product.stock_milli > line.quantity_milli then
      -- The count alone, in most orders: nothing that shows, no trigger, no index.
      update products set stock_milli = stock_milli - line.quantity_milli where id = line.product_id;
    else
      update products set stock_milli = stock_milli - line.quantity_milli,
        status = case when is_unique then 'hold' else 'out-of-stock' end,
        hold_reason = case when is_unique then 'booked' end
      where id = line.product_id;
      shown := true;
    end if;
    if product.is_unique then
      insert into animal_claims (product_id, order_id) values (line.product_id, for_order);
    end if;
    insert into stock_movements (product_id, order_id, delta_milli, reason) values (line.product_id, for_order, -line.quantity_milli, 'ordered');
  end loop;
  return shown;
end $$;

-- Places an order. `wanted`: {idempotency_key, request_hash (hex), now, customer {…}, order {…}, lines […], attempt {…} | null, sms {body}}.
-- Answers {order_id, replayed, shown} or {reason: 'stale' | 'not-available' | 'key-reused', lines?}; a refusal writes nothing.
-- A connection plans its look-ups once. Planned while a table was nearly empty they would read all of it for ever, and a
-- young shop's first rush would grow slower with every order: hence the setting.
create function place_order(wanted jsonb) returns jsonb
language plpgsql set enable_seqscan = off as $$
declare
  o jsonb := wanted -> 'order';
  hash bytea := decode(wanted ->> 'request_hash', 'hex');
  earlier idempotency_keys;
  refusal jsonb;
  buyer bigint;
  new_id bigint;
  shown boolean;
begin
  -- The same key at the same moment waits here for the first one's commit, and then finds its order.
  perform pg_advisory_xact_lock(hashtextextended(wanted ->> 'idempotency_key', 0));
  select * into earlier from idempotency_keys where key = wanted ->> 'idempotency_key';
  if found then
    if earlier.request_hash <> hash then
      return jsonb_build_object('reason', 'key-reused');
    end if;
    return jsonb_build_object('order_id', earlier.order_id, 'replayed', true);
  end if;

  refusal := lock_and_check_lines(wanted -> 'lines');
  if refusal is not null then
    return refusal;
  end if;

  if o ->> 'customer_id' is not null then
    buyer := (o ->> 'customer_id')::bigint;
  else
    -- A guest is known by the phone; what an existing customer wrote about himself stays as it is.
    select id into buyer from users where phone = o ->> 'phone';
    if buyer is null then
      insert into users (name, phone, email) values (o ->> 'name', o ->> 'phone', nullif(o ->> 'email', ''))
      on conflict (phone) do update set phone = excluded.phone returning id into buyer;
    end if;
  end if;

  insert into orders (source, customer_id, name, phone, email, alternate_phone, address, landmark, note, area_id, lang,
    subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
    list_on, placed_at, expires_at, browser_hash, view_key, tracking_code)
  select r.source, buyer, r.name, r.phone, coalesce(r.email, ''), coalesce(r.alternate_phone, ''), r.address, coalesce(r.landmark, ''),
    coalesce(r.note, ''), r.area_id, r.lang, r.subtotal_poisha, r.shipping_poisha, r.discount_poisha, r.total_poisha, r.payment_type,
    r.payment_gateway, r.payable_poisha, r.is_free_order, r.list_on, r.placed_at, r.expires_at, decode(r.browser_hash, 'hex'), r.view_key, r.tracking_code
  from jsonb_to_record(o) as r(source text, name text, phone text, email text, alternate_phone text, address text, landmark text, note text,
    area_id int, lang text, subtotal_poisha bigint, shipping_poisha bigint, discount_poisha bigint, total_poisha bigint, payment_type text,
    payment_gateway text, payable_poisha bigint, is_free_order boolean, list_on date, placed_at timestamptz, expires_at timestamptz,
    browser_hash text, view_key text, tracking_code text)
  returning id into new_id;

  insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
    line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha)
  select new_id, l.position, l.product_id, l.name_en, l.name_bn, l.unit, l.quantity_milli, l.base_price_poisha, l.price_poisha,
    l.line_total_poisha, l.advance_poisha, l.tag_number, l.booked_grams, l.booked_rate_poisha
  from jsonb_to_recordset(wanted -> 'lines') as l(position smallint, product_id bigint, name_en text, name_bn text, unit text,
    quantity_milli bigint, base_price_poisha bigint, price_poisha bigint, line_total_poisha bigint, advance_poisha bigint, tag_number text,
    booked_grams int, booked_rate_poisha bigint);

  shown := take_stock(new_id, wanted -> 'lines');

  insert into order_events (order_id, at, actor, actor_id, kind, to_status)
  values (new_id, (o ->> 'placed_at')::timestamptz, 'customer', (o ->> 'customer_id')::bigint, 'placed', 'placed');

  -- Written with the order, so that of several calls for it one opens the payment page.
  if wanted -> 'attempt' ->> 'tran_id' is not null then
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, created_at, updated_at)
    values (new_id, wanted -> 'attempt' ->> 'gateway', wanted -> 'attempt' ->> 'tran_id', (wanted -> 'attempt' ->> 'amount_poisha')::bigint,
      (o ->> 'placed_at')::timestamptz, (o ->> 'placed_at')::timestamptz);
  end if;

  if wanted -> 'sms' ->> 'body' is not null then
    insert into sms_outbox (purpose, order_id, template, phone, body)
    values ('order', new_id, 'order-placed', o ->> 'phone', replace(wanted -> 'sms' ->> 'body', '{order}', new_id::text));
  end if;

  insert into idempotency_keys (key, request_hash, order_id, created_at)
  values (wanted ->> 'idempotency_key', hash, new_id, (wanted ->> 'now')::timestamptz);
  return jsonb_build_object('order_id', new_id, 'replayed', false, 'shown', shown);
end $$;

-- Gives the stock of a cancelled, returned or expired order back, once; the caller has locked the order and changed its status.
create function free_stock(of_order bigint) returns void
language plpgsql as $$
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
  delete from animal_claims where order_id = of_order;
end $$;
