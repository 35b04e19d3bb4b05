-- What the migrations add up to, for reading. Made by `npm run schema`; a test fails when it is stale.

create extension pg_trgm;

create domain amount as bigint CHECK ((VALUE >= 0));

create domain barcode as text CHECK ((VALUE ~ '^[0-9A-Za-z-]{4,40}$'::text));

create domain coupon_code as text CHECK ((VALUE ~ '^[A-Z0-9][A-Z0-9_-]{2,31}$'::text));

create domain grams as integer CHECK (((VALUE >= 1) AND (VALUE <= 2000000)));

create domain lang_code as text CHECK ((VALUE = ANY (ARRAY['en'::text, 'bn'::text])));

create domain mobile_phone as text CHECK (((VALUE = ''::text) OR (VALUE ~ '^01[3-9][0-9]{8}$'::text) OR (VALUE ~ '^00[0-9]{9}$'::text)));

create domain moved_amount as bigint;

create domain movement_reason as text CHECK ((VALUE = ANY (ARRAY['ordered'::text, 'freed'::text, 'counted'::text, 'received'::text, 'spoiled'::text])));

create domain name_text as text CHECK (((btrim(VALUE) <> ''::text) AND (length(VALUE) <= 255)));

create domain order_actor as text CHECK ((VALUE = ANY (ARRAY['customer'::text, 'staff'::text, 'system'::text, 'gateway'::text])));

create domain order_source as text CHECK ((VALUE = ANY (ARRAY['web'::text, 'legacy'::text, 'admin'::text, 'pos'::text])));

create domain order_status as text CHECK ((VALUE = ANY (ARRAY['placed'::text, 'processing'::text, 'on_delivery'::text, 'delivered'::text, 'completed'::text, 'cancelled'::text, 'returned'::text])));

create domain ordered_amount as bigint CHECK ((VALUE > 0));

create domain payment_gateway as text CHECK ((VALUE = ANY (ARRAY['NONE'::text, 'sslcommerz'::text, 'bkash'::text])));

create domain payment_type as text CHECK ((VALUE = ANY (ARRAY['full'::text, 'partial'::text, 'cash_on_delivery'::text])));

create domain percent_bp as integer CHECK (((VALUE >= 0) AND (VALUE <= 10000)));

create domain price as bigint CHECK (((VALUE >= 0) AND (VALUE <= '10000000000'::bigint)));

create domain product_status as text CHECK ((VALUE = ANY (ARRAY['in-stock'::text, 'pre-book'::text, 'hold'::text, 'out-of-stock'::text, 'sold'::text])));

create domain request_key as text CHECK (((length(VALUE) >= 8) AND (length(VALUE) <= 255)));

create domain sale_unit as text CHECK ((VALUE = ANY (ARRAY['kg'::text, 'piece'::text, 'dozen'::text, 'bundle'::text])));

create domain short_text as text CHECK ((length(VALUE) <= 255));

create domain size_list as integer[] CHECK (((array_position(VALUE, NULL::integer) IS NULL) AND (0 < ALL (VALUE))));

create domain tag_number as text CHECK ((VALUE ~ '^[0-9A-Za-z-]{1,20}$'::text));

-- What a customer owes of sales on account: the amounts due above zero.
CREATE OR REPLACE FUNCTION public.account_balance(customer bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(greatest(amount_due(o), 0)), 0)::bigint from orders o join account_sales a on a.order_id = o.id where o.customer_id = customer
$function$;

-- Before an entry of store credit: gives it to the customer that the account was merged into, and stores the balance after it.
CREATE OR REPLACE FUNCTION public.add_store_credit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare kept bigint;
begin
  select merged_into into kept from users where id = new.customer_id for no key update;
  if kept is not null then
    new.customer_id := kept;
    perform from users where id = kept for no key update;
  end if;
  -- Volatile, so the statement sees what was committed while the lock was waited for.
  new.balance_poisha := new.amount_poisha + (select coalesce(sum(amount_poisha), 0) from store_credit_entries where customer_id = new.customer_id);
  return new;
end $function$;

-- After products were deleted or truncated: product indexes and POS devices load the whole catalog again.
CREATE OR REPLACE FUNCTION public.advance_catalog_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update catalog_epoch set epoch = epoch + 1;
  perform pg_notify('catalog', '');
  return null;
end $function$;

-- The one definition of the amount due. Below zero: a refund is due. An ended order owes nothing.
CREATE OR REPLACE FUNCTION public.amount_due(o orders)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (((o).status)::text = ANY (ARRAY['cancelled'::text, 'returned'::text])) THEN (- ((o).ledger_balance_poisha + (o).settlement_poisha)) ELSE (((o).total_poisha)::bigint - (o).ledger_balance_poisha) END;

-- The part of an order that is to be paid before delivery, at most the total after weighings and returns.
CREATE OR REPLACE FUNCTION public.amount_payable(o orders)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN LEAST(((o).payable_poisha)::bigint, (((o).total_poisha)::bigint + (o).settlement_poisha));

-- The money received for an order less refunds: the ledger without changes of the price.
CREATE OR REPLACE FUNCTION public.amount_received(o orders)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((o).ledger_balance_poisha + (o).settlement_poisha) + (o).fee_poisha) - (o).written_off_poisha);

-- The most that may be paid back: money received less fees kept; while an overpayment is written off, the refund that is still due.
CREATE OR REPLACE FUNCTION public.amount_refundable(o orders)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((o).written_off_poisha < 0) THEN GREATEST((- amount_due(o)), (0)::bigint) ELSE (((o).ledger_balance_poisha + (o).settlement_poisha) - (o).written_off_poisha) END;

-- After a phone was changed or an account merged: the opt-out from campaigns holds for the new phone too.
CREATE OR REPLACE FUNCTION public.carry_sms_opt_out()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into sms_opt_outs (phone, source, at)
  select u.phone, o.source, o.at from sms_opt_outs o, users u
  where o.phone = old.phone and u.id = coalesce(new.merged_into, new.id) and u.phone <> old.phone
  on conflict (phone) do nothing;
  return null;
end $function$;

-- The category that a product had at a time.
CREATE OR REPLACE FUNCTION public.category_at(p products, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT c.category_id FROM past_categories c WHERE ((c.product_id = (category_at.p).id) AND (c.until > category_at.at)) ORDER BY c.until LIMIT 1), (p).category_id);

-- At commit: the entries of exchanges in a shift add up to zero.
CREATE OR REPLACE FUNCTION public.check_exchange_sums()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select sum(amount_poisha) from ledger_entries where shift_id = new.shift_id and method = 'exchange') <> 0 then
    raise exception 'the exchanges of shift % do not add up to zero', new.shift_id using errcode = 'check_violation', constraint = 'exchanges_add_up';
  end if;
  return null;
end $function$;

-- Takes the next due SMS and marks it as being sent, within the limits of the day. A skipped SMS is not sent: a repeat, a reminder that was overtaken, an opt-out, or a stopped campaign.
CREATE OR REPLACE FUNCTION public.claim_next_sms(daily_limit integer, campaign_limit integer)
 RETURNS TABLE(id bigint, phone text, body text, purpose text, attempts smallint, parts smallint, skipped boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  today date := (now() at time zone 'Asia/Dhaka')::date;
  sent_today integer := coalesce((select d.sent from sms_days d where d.day = today), 0);
  next sms_outbox;
  is_automatic boolean;
  skip_reason text;
begin
  -- The sum keeps the plan on the queue's own order: by the index of expiry it would sort a long queue at each call.
  select s.* into next from sms_outbox s
  where s.state = 'queued' and s.not_before <= now() and s.expires_at + interval '0' > now()
    and not exists (select 1 from sms_provider p where p.paused_until > now())
    and (s.purpose <> 'order' or s.sent_by is not null or sent_today < daily_limit)
    and (s.purpose <> 'campaign' or (sent_today + s.parts <= campaign_limit
      and not exists (select 1 from campaigns c where c.id = s.campaign_id and c.state = 'paused')))
  order by (s.purpose <> 'code'), s.not_before, s.id limit 1 for update skip locked;
  if not found then
    return;
  end if;
  is_automatic := next.purpose = 'order' and next.sent_by is null;
  if is_automatic and exists (select 1 from orders o where o.id = next.order_id and o.source in ('web', 'legacy') and not o.phone_verified
    and amount_received(o) <= 0 and o.status in ('placed', 'cancelled')) then
    -- One after another for a number, so that each sees the last one sent.
    perform pg_advisory_xact_lock(hashtextextended('sms ' || next.phone, 0));
    if exists (select 1 from sms_outbox s where s.phone = next.phone and s.id <> next.id and s.purpose = 'order'
      and s.state in ('sending', 'submitted', 'unknown') and s.updated_at > now() - interval '1 hour'
      and regexp_replace(s.template, '-[0-9].*', '') = regexp_replace(next.template, '-[0-9].*', '')) then
      skip_reason := 'repeat';
      insert into order_events (order_id, actor, kind, detail) values (next.order_id, 'system', 'sms-skipped', jsonb_build_object('text', next.body));
    end if;
  end if;
  if next.purpose = 'order' and next.template ~ '^(advance-reminder$|advance-missing-)' then
    skip_reason := coalesce(skip_reason, (select 'overtaken' from orders o
      where o.id = next.order_id and (o.status in ('cancelled', 'returned')
        -- It names a time at which the order would be cancelled.
        or (next.template = 'advance-reminder' and o.expires_at is null)
        or (next.template like 'advance-%' and (has_unchecked_payment(o)
          or case when next.template = 'advance-reminder' then still_payable(o)
            when required_advance(o) > 0 then missing_advance(o)
            else amount_due(o) end <= 0)))));
  end if;
  if next.purpose = 'order' and next.template ~ '^delivery-(moved-[0-9]+-)?[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
    skip_reason := coalesce(skip_reason, (select 'overtaken' from orders o
      where o.id = next.order_id and (o.status not in ('placed', 'processing', 'on_delivery')
        or right(next.template, 10)::date not in (o.deliver_on, coalesce(first_delivery_on(o), o.deliver_on)))));
  end if;
  if next.purpose = 'order' and next.template ~ '^order-(placed|expired(-[0-9]+)?|cancelled-[0-9]+)$' then
    -- The order ended before its confirmation was sent, or was reopened before the SMS about its end.
    skip_reason := coalesce(skip_reason, (select 'overtaken' from orders o
      where o.id = next.order_id and (o.status in ('cancelled', 'returned')) = (next.template = 'order-placed')));
  end if;
  if next.purpose = 'campaign' then
    skip_reason := case when exists (select 1 from sms_opt_outs o where o.phone = next.phone) then 'opted-out'
      when exists (select 1 from campaigns c where c.id = next.campaign_id and c.state = 'stopped') then 'stopped'
      when not exists (select 1 from campaign_people p join users u on u.id = p.customer_id and u.phone = p.phone and u.disabled_at is null
        where p.campaign_id = next.campaign_id and p.phone = next.phone) then 'closed' end;
  end if;
  if skip_reason is not null then
    update sms_outbox s set state = 'skipped', failure = skip_reason, updated_at = now() where s.id = next.id;
    return query select next.id, next.phone, next.body, next.purpose, next.attempts, next.parts, true;
    return;
  end if;
  if next.purpose <> 'code' then
    insert into sms_days as d (day, sent) values (today, next.parts)
    on conflict (day) do update set sent = d.sent + next.parts where (not is_automatic or d.sent < daily_limit)
      and (next.purpose <> 'campaign' or d.sent + next.parts <= campaign_limit);
    if not found then
      return;
    end if;
  end if;
  return query update sms_outbox s set state = 'sending', attempts = s.attempts + 1, updated_at = now() where s.id = next.id
    returning s.id, s.phone, s.body, s.purpose, s.attempts, s.parts, false;
end $function$;

-- claim_next_sms for the previous version, which sends no campaigns.
CREATE OR REPLACE FUNCTION public.claim_sms(daily_limit integer)
 RETURNS TABLE(id bigint, phone text, body text, purpose text, attempts smallint, skipped boolean)
 LANGUAGE sql
AS $function$
  select c.id, c.phone, c.body, c.purpose, c.attempts, c.skipped from claim_next_sms(daily_limit, 0) c
$function$;

-- The orders that take a place of a day in a delivery group, counted up to a maximum.
CREATE OR REPLACE FUNCTION public.count_deliveries_on(day date, of_group text, max integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select count(*)::integer from (
    select 1 from orders o where (o.deliver_on = day
        or (o.deliveries = 2 and o.deliver_on > day and o.list_on <= day and first_delivery_on(o) = day))
      and takes_delivery_place(o)
      and exists (select 1 from order_lines l join products p on p.id = l.product_id join categories c on c.id = p.category_id
        where l.order_id = o.id and c.delivery_group = of_group and line_delivery_on(o, l.delivery_on) = day)
    limit max) taken
$function$;

-- After a published review came, changed or went: the number and the sum of ratings of its product.
CREATE OR REPLACE FUNCTION public.count_review()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' and old.state = 'published' then
    update product_ratings set review_count = review_count - 1, rating_sum = rating_sum - old.rating where product_id = old.product_id;
  end if;
  if tg_op <> 'DELETE' and new.state = 'published' then
    insert into product_ratings (product_id, review_count, rating_sum) values (new.product_id, 1, new.rating)
    on conflict (product_id) do update set review_count = product_ratings.review_count + 1,
      rating_sum = product_ratings.rating_sum + excluded.rating_sum;
  end if;
  perform pg_notify('catalog', '');
  return null;
end $function$;

-- The key of a POS sale without its cashier, equal for all cashiers of the device.
CREATE OR REPLACE FUNCTION public.device_key(idempotency_key text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN substr(idempotency_key, (strpos(idempotency_key, ':'::text) + 1));

-- The limit of unpaid animals (of the phone, the browser or the network) that an order would exceed; null for none. taken: holds of earlier orders of the batch.
CREATE OR REPLACE FUNCTION public.exceeded_hold_limit(of_phone text, holds jsonb, animals integer, taken jsonb)
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
  where (c.phone = of_phone or c.browser_key = of_browser or c.network_key = of_network) and o.status = 'placed' and amount_received(o) <= 0;
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

-- The date of the first of two deliveries; null for an order with one.
CREATE OR REPLACE FUNCTION public.first_delivery_on(o orders)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select case when o.deliveries = 2 then (
    select nullif(min(greatest(o.list_on, l.delivery_on)), o.deliver_on) from order_lines l where l.order_id = o.id) end
$function$;

-- Money of the customer may have come that the staff have not checked: a reported advance, or a payment in review.
CREATE OR REPLACE FUNCTION public.has_unchecked_payment(o orders)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((EXISTS (SELECT 1 FROM advance_reports r WHERE ((r.order_id = (has_unchecked_payment.o).id) AND (r.state = 'waiting'::text)))) OR (EXISTS (SELECT 1 FROM payment_attempts a WHERE ((a.order_id = (has_unchecked_payment.o).id) AND (a.state = 'review'::text)))));

-- insert_orders for one order. It waits for locks.
CREATE OR REPLACE FUNCTION public.insert_order(new_order jsonb)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  select insert_orders(jsonb_build_array(new_order), true) -> 0
$function$;

-- Writes an order and the use of its coupon, or neither.
CREATE OR REPLACE FUNCTION public.insert_order_with_coupon(new_order jsonb)
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

-- Writes an order if its delivery days have a place left. An advisory lock for each day and group makes concurrent orders wait.
CREATE OR REPLACE FUNCTION public.insert_order_within_capacity(new_order jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

-- Writes a batch of orders with lines, holds, stock, events, payment attempts and SMS. Answers the id of each by batch_index, or why it was not written.
CREATE OR REPLACE FUNCTION public.insert_orders(orders jsonb, wait_for_locks boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
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

-- Writes a batch of POS sales through insert_orders, with their payments in the ledger. Answers each by its position. An empty answer: not written, the caller sells with locks.
CREATE OR REPLACE FUNCTION public.insert_pos_sales(orders jsonb, wait_for_locks boolean, walk_in_names text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
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
      perform pg_advisory_xact_lock(hashtextextended(device_key(sale.idempotency_key), 0));
      select s.id into shift from pos_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share;
    else
      continue when not pg_try_advisory_xact_lock(hashtextextended(sale.idempotency_key, 0))
        or not pg_try_advisory_xact_lock(hashtextextended(device_key(sale.idempotency_key), 0));
      -- The share lock lasts until commit: closing the shift waits for it and counts this sale.
      select s.id into shift from pos_shifts s where s.cashier_id = sale.clerk_id and s.closed_at is null for share skip locked;
    end if;
    continue when shift is null or shift <> sale.shift_id;
    if sale_of_other_cashier(sale.idempotency_key) is not null then
      results[sale.at] := '{"reason": "key-reused"}';
      continue;
    end if;
    select c.id, c.name into customer from users u join users c on c.id = coalesce(u.merged_into, u.id) where u.phone = sale.phone;
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
  select order_ids[w.batch_index], case m.method when 'rounding' then 'rounding' else 'counter' end, m.method, m.amount_poisha, m.reference, w.clerk_id, w.placed_at, w.shift_id, true
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

-- A POS sale that was handed over at once: it has no delivery.
CREATE OR REPLACE FUNCTION public.is_over_counter(o orders)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((o).source)::text = 'pos'::text) AND (((o).address)::text = ''::text) AND (NOT (o).is_collection));

-- The latest delivery date of the lines of an order; null when none has one.
CREATE OR REPLACE FUNCTION public.latest_line_delivery_on(of_order bigint)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select max(l.delivery_on) from order_lines l where l.order_id = of_order
$function$;

-- The delivery date of a line. With two deliveries a line comes with the first one or the last one.
CREATE OR REPLACE FUNCTION public.line_delivery_on(o orders, line_date date)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select case when o.deliveries = 2 and greatest(o.list_on, line_date) = first_delivery_on(o) then greatest(o.list_on, line_date)
    else o.deliver_on end
$function$;

-- The price of an animal by live weight, in whole taka; null when no rate fits. As liveWeightPrice in features/catalog/products/live-weight-rules.ts.
CREATE OR REPLACE FUNCTION public.live_weight_price(category bigint, of_season text, grams integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select round(grams::numeric * poisha_per_kg / 100000)::bigint * 100 from rate_tiers
  where category_id = category and season = of_season and from_grams <= grams order by from_grams desc limit 1
$function$;

-- Gives all rows that name a guest to an account with a phone, and deletes the guest.
CREATE OR REPLACE FUNCTION public.merge_guest_into_account(guest bigint, account bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  pointer record;
begin
  perform 1 from orders where customer_id in (guest, account) order by id for update;
  perform 1 from users where id in (guest, account) order by id for update;
  if exists (select 1 from users where id = guest and (password_hash is not null or phone_verified_at is not null or role <> 'customer')) then
    raise exception 'user % is no guest', guest using errcode = 'check_violation', constraint = 'merged_is_guest';
  end if;
  for pointer in
    select c.conrelid::regclass as place, a.attname as col from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and cardinality(c.conkey) = 1
  loop
    execute format('update %s set %I = $1 where %I = $2', pointer.place, pointer.col, pointer.col) using account, guest;
  end loop;
  update audit_log set subject_id = account::text where subject = 'customer' and subject_id = guest::text;
  delete from users where id = guest;
end $function$;

-- What is missing of the required advance, or of a total below it. Negative when more is paid.
CREATE OR REPLACE FUNCTION public.missing_advance(o orders)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (LEAST(required_advance(o), ((o).total_poisha)::bigint) - amount_received(o));

-- Moves stock: the movements, and with each the count, status and hold reason of the product.
CREATE OR REPLACE FUNCTION public.move_stock(moves jsonb)
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
    (status, hold_reason) = (select
      case when s.status = 'in-stock' and m.movement = 'release' and (p.delivery_on > (now() at time zone 'Asia/Dhaka')::date) is not false
        then coalesce(p.sold_out_as, s.status) else s.status end, s.hold_reason
      from next_product_state(m.movement, p.is_unique, p.status, p.hold_reason,
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

-- Status and hold reason of a product after a movement of stock. features/stock/rules.ts is its copy; a test compares the two.
CREATE OR REPLACE FUNCTION public.next_product_state(movement text, is_animal boolean, old_status text, old_hold_reason text, new_stock_milli bigint)
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

-- After a change that shoppers see: every process drops its caches.
CREATE OR REPLACE FUNCTION public.notify_catalog_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('catalog', '');
  return null;
end $function$;

-- A name without vowels and with similar letters folded, equal in Latin and Bengali letters.
CREATE OR REPLACE FUNCTION public.phonetic_key(name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  sound text := lower(normalize(left(name, 255), NFC));
  is_plain constant boolean := octet_length(sound) = length(sound);
begin
  if not is_plain then
    sound := replace(replace(replace(replace(sound, 'ড়', 'r'), 'ঢ়', 'r'), 'য়', ''), '্য', '');
  end if;
  sound := replace(replace(replace(replace(replace(replace(replace(sound,
    'kh', 'k'), 'gh', 'g'), 'jh', 'j'), 'th', 't'), 'dh', 'd'), 'ph', 'f'), 'bh', 'b');
  if not is_plain then
    sound := regexp_replace(sound, '([সশজদত])্ব', '\1', 'g');
  end if;
  sound := replace(regexp_replace(replace(sound, 'sh', 's'), 'c(?!h)', 'k', 'g'), 'ch', 'c');
  if is_plain then
    sound := translate(sound, 'qvzxaeiouwy', 'kbjs');
  else
    sound := translate(sound,
      'কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহৎং' || 'qvzx' || 'aeiouwy' || 'অআইঈউঊঋএঐওঔািীুূৃেৈোৌ্ঃঁ়ৗ',
      'kkggnccjjntdddnttddnpfbbmjrlssshtn' || 'kbjs');
  end if;
  return regexp_replace(regexp_replace(sound, '(\w)\1+', '\1', 'g'), '[^a-z0-9]+', ' ', 'g');
end $function$;

-- After animals were given back: those sold by live weight get the price of their weight by the current rates.
CREATE OR REPLACE FUNCTION public.price_freed_animals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update products p set price_poisha = n.price
  from (select a.id, live_weight_price(a.category_id, a.season, a.weight_grams) as price from products a
    where a.id in (select product_id from freed) and a.sold_by_live_weight and a.weight_grams is not null) n
  where p.id = n.id and n.price <> p.price_poisha and n.price >= case p.discount_kind when 'fixed' then p.discount_value else 0 end;
  return null;
end $function$;

-- The text by which the admin finds a product: names, codes and breed in lower case with Latin digits.
CREATE OR REPLACE FUNCTION public.product_search_text(p products)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select translate(
    lower(normalize(concat_ws(' ', '', p.name_en, p.name_bn, p.tag_number, p.breed_en, p.breed_bn, p.barcode, p.search_aliases), NFC)),
    '০১২৩৪৫৬৭৮৯', '0123456789')
$function$;

-- Records the category that a product had until now.
CREATE OR REPLACE FUNCTION public.record_past_category()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into past_categories (product_id, category_id, until) values (old.id, old.category_id, clock_timestamp()) on conflict do nothing;
  return null;
end $function$;

-- Adds the movements that the orders of a product lack, because it was not counted when they changed. The stock stays. The product must be locked.
CREATE OR REPLACE FUNCTION public.record_uncounted_movements(for_product bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into stock_movements (product_id, order_id, delta_milli, reason, at)
  select for_product, m.order_id, m.milli, case when m.milli < 0 then 'ordered' else 'freed' end, case when m.milli < 0 then o.placed_at else now() end
  from (
    select order_id, -sum(milli)::bigint as milli from (
      select l.order_id, l.quantity_milli - coalesce((select sum(b.quantity_milli) from pos_returns r join pos_return_lines b on b.return_id = r.id
        where r.order_id = l.order_id and b.product_id = l.product_id), 0) as milli
      from order_lines l join orders s on s.id = l.order_id where l.product_id = for_product and s.status not in ('cancelled', 'returned')
      union all
      select order_id, delta_milli from stock_movements where product_id = for_product and order_id is not null) held
    group by order_id) m
  join orders o on o.id = m.order_id
  where m.milli <> 0 order by m.order_id
$function$;

-- Records the use of a coupon by an order. Answers why it is not possible; null when it was recorded.
CREATE OR REPLACE FUNCTION public.redeem_coupon(for_order bigint, coupon jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  buyer bigint;
  placed timestamptz;
  c coupons;
begin
  select customer_id, placed_at into buyer, placed from orders where id = for_order;
  -- Concurrent uses of this coupon wait here, and then count this use too.
  select * into c from coupons where id = (coupon ->> 'id')::bigint for no key update;
  if c.first_order_only then
    perform pg_advisory_xact_lock(hashtextextended('first order ' || buyer, 0));
  end if;
  if c.id is null or c.version <> (coupon ->> 'version')::int then
    return 'stale';
  elsif c.uses >= c.max_uses then
    return 'used-up';
  elsif (select count(*) from coupon_uses where coupon_id = c.id and customer_id = buyer and released_at is null) >= c.max_uses_per_customer then
    return 'used-by-you';
  elsif c.first_order_only and exists (
    select 1 from orders where customer_id = buyer and id <> for_order and status <> 'cancelled') then
    return 'first-order-only';
  end if;
  insert into coupon_uses (order_id, coupon_id, customer_id, code, discount_poisha, delivery_saved_poisha, at, kind, percent_bp, value_poisha, max_discount_poisha,
    product_ids)
  values (for_order, c.id, buyer, c.code, (coupon ->> 'discount_poisha')::bigint, (coupon ->> 'delivery_saved_poisha')::bigint, placed,
    c.kind, c.percent_bp, c.value_poisha, c.max_discount_poisha,
    (select array_agg(id::bigint) from jsonb_array_elements_text(coupon -> 'product_ids') id));
  update order_lines l set discount_poisha = d.discount_poisha
  from jsonb_to_recordset(coalesce(coupon -> 'lines', '[]')) as d(product_id bigint, discount_poisha bigint)
  where l.order_id = for_order and l.product_id = d.product_id;
  update coupons set uses = uses + 1 where id = c.id;
  return null;
end $function$;

-- The sum of the advances that the lines of an order require, in poisha.
CREATE OR REPLACE FUNCTION public.required_advance(o orders)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(sum((l.advance_poisha)::bigint), (0)::numeric))::bigint AS "coalesce" FROM order_lines l WHERE (l.order_id = (required_advance.o).id));

-- The order of a sale that another cashier has recorded under the same key of the device; null for none.
CREATE OR REPLACE FUNCTION public.sale_of_other_cashier(key text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select o.id from (
    select id, idempotency_key from orders
    where source = 'pos' and upper(left(replace(split_part(idempotency_key, ':', 2), '-', ''), 6)) = upper(left(replace(split_part(key, ':', 2), '-', ''), 6))
    order by id desc limit 100) o
  where device_key(o.idempotency_key) = device_key(key) and o.idempotency_key <> key limit 1
$function$;

-- Before a change of the count: whether the product has few units left.
CREATE OR REPLACE FUNCTION public.set_low_stock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_low_stock := coalesce(not new.is_unique and new.stock_milli <= 100000, false);
  return new;
end $function$;

-- After dated lines were added or removed: the latest date of the order's lines.
CREATE OR REPLACE FUNCTION public.set_order_delivery()
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

-- Before a product is inserted or changed: search text, rank, version and what else follows from its columns.
CREATE OR REPLACE FUNCTION public.set_product_derived_columns()
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

-- Before an order that was delivered or has ended becomes open again: its lines get the delivery dates that the products have now.
CREATE OR REPLACE FUNCTION public.set_reopened_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update order_lines l set delivery_on = p.delivery_on from products p
  where l.order_id = new.id and p.id = l.product_id and l.delivery_on is distinct from p.delivery_on;
  new.goods_on := latest_line_delivery_on(new.id);
  return new;
end $function$;

-- Before a change of the status: remembers that a product was pre-booked when it ran out.
CREATE OR REPLACE FUNCTION public.set_sold_out_as()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.sold_out_as := case when not new.is_unique and old.status = 'pre-book' and new.status = 'out-of-stock' then 'pre-book' end;
  return new;
end $function$;

-- The part of an order that can be paid now, as stillPayable in features/payments/payment-verification-rules.ts.
CREATE OR REPLACE FUNCTION public.still_payable(o orders)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN GREATEST((0)::bigint, LEAST(amount_due(o), (amount_payable(o) - amount_received(o))));

-- By product, how many thousandths an order needs more or less than it holds.
CREATE OR REPLACE FUNCTION public.stock_changes(for_order bigint, lines jsonb)
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

-- The store credit of a customer, in poisha.
CREATE OR REPLACE FUNCTION public.store_credit_balance(customer bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(amount_poisha), 0)::bigint from store_credit_entries where customer_id = customer
$function$;

-- At commit: a cancelled order frees the use of its coupon, a reopened one takes it again if one is left.
CREATE OR REPLACE FUNCTION public.sync_coupon_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'cancelled' then
    update coupons c set uses = c.uses - 1 from coupon_uses u where u.order_id = new.id and u.released_at is null and c.id = u.coupon_id;
    update coupon_uses set released_at = new.updated_at where order_id = new.id and released_at is null;
  else
    -- Concurrent uses of this coupon wait here, and then count this use too.
    perform 1 from coupons where id = (select coupon_id from coupon_uses where order_id = new.id and released_at is not null) for no key update;
    update coupons c set uses = c.uses + 1 from coupon_uses u
    where u.order_id = new.id and u.released_at is not null and c.id = u.coupon_id and (c.max_uses is null or c.uses < c.max_uses)
      and (c.max_uses_per_customer is null or c.max_uses_per_customer > (select count(*) from coupon_uses o
        where o.coupon_id = u.coupon_id and o.customer_id = u.customer_id and o.released_at is null));
    if found then
      update coupon_uses set released_at = null where order_id = new.id;
    end if;
  end if;
  return null;
end $function$;

-- Brings the reservations of an order to the given lines; an empty list releases all. Answers the products that are not available; null when the stock was moved.
CREATE OR REPLACE FUNCTION public.sync_order_stock(for_order bigint, lines jsonb)
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

-- Whether an order counts for the capacity of its delivery day.
CREATE OR REPLACE FUNCTION public.takes_delivery_place(o orders)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((NOT (o).is_collection) AND (NOT is_over_counter(o)) AND (((o).status)::text <> ALL (ARRAY['cancelled'::text, 'returned'::text])));

-- After further categories changed: the product index reads the products again.
CREATE OR REPLACE FUNCTION public.touch_products_of_changed_categories()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update products set changed_xid = pg_current_xact_id() where id in (select product_id from changed_categories);
  return null;
end $function$;

-- After pictures or videos changed: their products count as changed.
CREATE OR REPLACE FUNCTION public.touch_products_of_changed_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update products set updated_at = now() where id in (select product_id from changed_media);
  return null;
end $function$;

-- After ledger entries were added: the sums in their orders.
CREATE OR REPLACE FUNCTION public.update_ledger_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders o set ledger_balance_poisha = o.ledger_balance_poisha + a.amount, refunded_poisha = o.refunded_poisha + a.refunded,
    settlement_poisha = o.settlement_poisha + a.settlement, fee_poisha = o.fee_poisha + a.fee, written_off_poisha = o.written_off_poisha + a.written_off
  from (
    select order_id, sum(amount_poisha)::bigint as amount, coalesce(-sum(amount_poisha) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount_poisha) filter (where kind in ('settlement', 'return')), 0)::bigint as settlement,
      coalesce(-sum(amount_poisha) filter (where kind = 'fee'), 0)::bigint as fee,
      coalesce(sum(amount_poisha) filter (where kind = 'write_off'), 0)::bigint as written_off
    from added where not paid_with_order group by order_id
  ) a where o.id = a.order_id;
  return null;
end $function$;

-- After the delivery date of a product changed: moves the orders that are not sent. Of an animal all, of other products those promised for a day ahead.
CREATE OR REPLACE FUNCTION public.update_order_delivery_dates()
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

-- Before an order is inserted: gives it to the customer that its own was merged into, and one of an erased customer to the customer of its phone.
CREATE OR REPLACE FUNCTION public.use_merged_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  target bigint;
  known text;
begin
  loop
    select merged_into, phone into target, known from users where id = new.customer_id for key share;
    exit when target is null;
    new.customer_id := target;
  end loop;
  -- The phone of an erased customer, see migration 0174.
  if known like '00%' then
    insert into users (name, phone) values (new.name, new.phone)
    on conflict (phone) do update set phone = excluded.phone returning id into new.customer_id;
  end if;
  return new;
end $function$;

-- Creates the triggers for changes of products again, from the columns of the table. Each migration that adds a product column ends with it.
CREATE OR REPLACE FUNCTION public.watch_product_columns()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  -- Derived by triggers, or changed without a new version.
  hidden constant text[] := array['id', 'stock_milli', 'search_text', 'version', 'created_at', 'updated_at', 'availability_rank', 'archived_at',
    'is_low_stock', 'changed_xid', 'sold_out_as'];
  watched text;
  is_changed text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum),
    string_agg(format('old.%1$I is distinct from new.%1$I', attname), ' or ' order by attnum)
  into watched, is_changed from pg_attribute
  where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attname <> all (hidden);
  drop trigger if exists products_change on products;
  drop trigger if exists products_shown_change on products;
  execute format('create trigger products_change before update of %s on products for each row when (%s)
    execute function set_product_derived_columns()', watched, is_changed);
  execute format('create trigger products_shown_change after update of %s on products for each row when (old.version <> new.version)
    execute function notify_catalog_changed()', watched);
end $function$;

create table account_payments (
  id bigint generated always as identity not null,
  customer_id bigint not null,
  shift_id bigint,
  actor_id bigint not null,
  at timestamp with time zone not null,
  method text not null,
  amount_poisha ordered_amount not null,
  change_poisha amount default 0 not null,
  reference text,
  balance_poisha amount not null,
  constraint account_payments_pkey PRIMARY KEY (id),
  constraint account_payments_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint account_payments_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint account_payments_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint account_payments_method_check CHECK ((method = ANY (ARRAY['cash'::text, 'bkash'::text, 'bank'::text, 'nagad'::text, 'rocket'::text, 'card'::text]))),
  constraint change_from_cash CHECK ((((change_poisha)::bigint = 0) OR (method = 'cash'::text)))
);
CREATE INDEX account_payments_customer ON public.account_payments USING btree (customer_id, at);
CREATE INDEX account_payments_shift ON public.account_payments USING btree (shift_id) WHERE (shift_id IS NOT NULL);

create table account_sales (
  order_id bigint not null,
  amount_poisha ordered_amount not null,
  constraint account_sales_pkey PRIMARY KEY (order_id),
  constraint account_sales_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table addresses (
  id bigint generated always as identity not null,
  customer_id bigint not null,
  name name_text not null,
  phone text default ''::text not null,
  alternate_phone short_text default ''::text not null,
  address name_text not null,
  landmark short_text default ''::text not null,
  note short_text default ''::text not null,
  area_id integer not null,
  is_default boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint addresses_pkey PRIMARY KEY (id),
  constraint addresses_area_id_fkey FOREIGN KEY (area_id) REFERENCES areas(id),
  constraint addresses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint addresses_phone_check CHECK (((phone = ''::text) OR (phone ~ '^01[3-9][0-9]{8}$'::text)))
);
CREATE INDEX addresses_area ON public.addresses USING btree (area_id);
CREATE INDEX addresses_customer ON public.addresses USING btree (customer_id, id);
CREATE UNIQUE INDEX addresses_default ON public.addresses USING btree (customer_id) WHERE is_default;

create table advance_reports (
  id bigint generated always as identity not null,
  order_id bigint not null,
  method text not null,
  transaction_id text not null,
  sender text default ''::text not null,
  amount_poisha bigint not null,
  state text default 'waiting'::text not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  decided_by bigint,
  is_duplicate boolean default false not null,
  reason text default ''::text not null,
  constraint advance_reports_pkey PRIMARY KEY (id),
  constraint advance_reports_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint advance_reports_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint advance_reports_amount_poisha_check CHECK ((amount_poisha > 0)),
  constraint advance_reports_method_check CHECK ((method = ANY (ARRAY['bank'::text, 'bkash'::text, 'nagad'::text]))),
  constraint advance_reports_reason CHECK ((length(reason) <= 1000)),
  constraint advance_reports_sender_check CHECK ((length(sender) <= 255)),
  constraint advance_reports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'verified'::text, 'refused'::text]))),
  constraint advance_reports_transaction_id_check CHECK ((transaction_id ~ '^[A-Z0-9-]{6,40}$'::text))
);
CREATE UNIQUE INDEX advance_reports_open ON public.advance_reports USING btree (order_id, method, transaction_id) WHERE (state <> 'refused'::text);
CREATE INDEX advance_reports_order ON public.advance_reports USING btree (order_id);
CREATE INDEX advance_reports_sender ON public.advance_reports USING btree (sender);
CREATE INDEX advance_reports_state ON public.advance_reports USING btree (state, id DESC);
CREATE INDEX advance_reports_transaction ON public.advance_reports USING btree (method, transaction_id, id);
CREATE UNIQUE INDEX advance_reports_verified ON public.advance_reports USING btree (method, transaction_id) WHERE (state = 'verified'::text);
CREATE INDEX advance_reports_waiting ON public.advance_reports USING btree (created_at) WHERE (state = 'waiting'::text);

create table animal_holds (
  product_id bigint not null,
  order_id bigint not null,
  phone text,
  browser_key bytea,
  network_key bytea,
  constraint animal_holds_pkey PRIMARY KEY (product_id),
  constraint animal_holds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint animal_holds_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);
CREATE INDEX animal_holds_browser ON public.animal_holds USING btree (browser_key) WHERE (browser_key IS NOT NULL);
CREATE INDEX animal_holds_network ON public.animal_holds USING btree (network_key) WHERE (network_key IS NOT NULL);
CREATE INDEX animal_holds_order ON public.animal_holds USING btree (order_id);
CREATE INDEX animal_holds_phone ON public.animal_holds USING btree (phone) WHERE (phone IS NOT NULL);
CREATE TRIGGER animal_holds_price AFTER DELETE ON public.animal_holds REFERENCING OLD TABLE AS freed FOR EACH STATEMENT EXECUTE FUNCTION price_freed_animals();

create table area_charges (
  area_id integer not null,
  delivery_group text not null,
  is_open boolean default true not null,
  charge_poisha bigint,
  constraint area_charges_pkey PRIMARY KEY (area_id, delivery_group),
  constraint area_charges_area_id_fkey FOREIGN KEY (area_id) REFERENCES areas(id) ON DELETE CASCADE,
  constraint area_charges_charge_poisha_check CHECK ((charge_poisha >= 0)),
  constraint area_charges_delivery_group_check CHECK ((delivery_group = ANY (ARRAY['cattle'::text, 'produce'::text])))
);
CREATE TRIGGER area_charges_shown AFTER INSERT OR DELETE OR UPDATE ON public.area_charges FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table area_requests (
  id bigint generated always as identity not null,
  name name_text not null,
  phone mobile_phone not null,
  place text not null,
  requested_on date not null,
  state text default 'new'::text not null,
  note text default ''::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  handled_by bigint,
  handled_at timestamp with time zone,
  constraint area_requests_pkey PRIMARY KEY (id),
  constraint area_requests_phone_day UNIQUE (phone, requested_on),
  constraint area_requests_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES users(id),
  constraint area_requests_note CHECK ((length(note) <= 1000)),
  constraint area_requests_phone CHECK (((phone)::text <> ''::text)),
  constraint area_requests_place CHECK (((btrim(place) <> ''::text) AND (length(place) <= 255))),
  constraint area_requests_state CHECK ((state = ANY (ARRAY['new'::text, 'called'::text, 'done'::text])))
);
CREATE INDEX area_requests_state ON public.area_requests USING btree (state, id DESC);

create table areas (
  id integer generated always as identity not null,
  name_en text not null,
  name_bn text not null,
  active boolean default true not null,
  "position" integer default 0 not null,
  version integer default 1 not null,
  closed_weekdays smallint[] default '{}'::smallint[] not null,
  constraint areas_pkey PRIMARY KEY (id),
  constraint areas_closed_weekdays_are_days CHECK (((closed_weekdays <@ '{0,1,2,3,4,5,6}'::smallint[]) AND (cardinality(closed_weekdays) <= 6) AND (array_position(closed_weekdays, NULL::smallint) IS NULL))),
  constraint areas_name_bn_check CHECK ((btrim(name_bn) <> ''::text)),
  constraint areas_name_en_check CHECK ((btrim(name_en) <> ''::text)),
  constraint areas_names_fit CHECK (((length(name_en) <= 100) AND (length(name_bn) <= 100)))
);
CREATE TRIGGER areas_shown AFTER INSERT OR DELETE OR UPDATE ON public.areas FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create unlogged table attempt_counts (
  key text not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint attempt_counts_pkey PRIMARY KEY (key, window_start)
);
CREATE INDEX attempt_counts_age ON public.attempt_counts USING btree (window_start);

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  actor_id bigint,
  action text not null,
  subject text not null,
  subject_id text default ''::text not null,
  before jsonb,
  after jsonb,
  ip text default ''::text not null,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint audit_log_action_check CHECK ((action ~ '^[a-z][a-z-]{1,39}$'::text)),
  constraint audit_log_subject_check CHECK ((subject ~ '^[a-z][a-z-]{1,39}$'::text)),
  constraint audit_log_subject_id_check CHECK ((length(subject_id) <= 100))
);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id, id DESC);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, subject_id, id DESC);
CREATE INDEX audit_log_time ON public.audit_log USING btree (at, id);

create table backup_runs (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  state text default 'running'::text not null,
  started_by text not null,
  actor_id bigint,
  target text not null,
  file_name text,
  size_bytes bigint,
  checksum text,
  sums jsonb,
  verified_at timestamp with time zone,
  deleted_at timestamp with time zone,
  error text,
  constraint backup_runs_pkey PRIMARY KEY (id),
  constraint backup_runs_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint backup_runs_checksum CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint backup_runs_done CHECK (((state <> 'done'::text) OR ((file_name IS NOT NULL) AND (size_bytes IS NOT NULL) AND (checksum IS NOT NULL) AND (sums IS NOT NULL)))),
  constraint backup_runs_ends CHECK (((state = 'done'::text) OR ((verified_at IS NULL) AND (deleted_at IS NULL)))),
  constraint backup_runs_failed CHECK (((state = 'failed'::text) = (error IS NOT NULL))),
  constraint backup_runs_finished CHECK (((state = 'running'::text) = (finished_at IS NULL))),
  constraint backup_runs_size CHECK ((size_bytes > 0)),
  constraint backup_runs_started_by CHECK ((started_by = ANY (ARRAY['schedule'::text, 'admin'::text, 'command'::text]))),
  constraint backup_runs_state CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX backup_runs_actor ON public.backup_runs USING btree (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX backup_runs_done_at ON public.backup_runs USING btree (finished_at) WHERE (state = 'done'::text);

create table bulk_run_orders (
  run_id bigint not null,
  order_id bigint not null,
  version integer not null,
  state text default 'waiting'::text not null,
  attempts smallint default 0 not null,
  failure jsonb,
  constraint bulk_run_orders_pkey PRIMARY KEY (run_id, order_id),
  constraint bulk_run_orders_run_id_fkey FOREIGN KEY (run_id) REFERENCES bulk_runs(id) ON DELETE CASCADE,
  constraint bulk_run_orders_failure CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  constraint bulk_run_orders_state CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX bulk_run_orders_state ON public.bulk_run_orders USING btree (run_id, state, attempts, order_id);

create table bulk_runs (
  id bigint generated always as identity not null,
  status order_status not null,
  reason text default ''::text not null,
  filter text not null,
  total integer not null,
  state text default 'running'::text not null,
  done integer default 0 not null,
  failed integer default 0 not null,
  started_by bigint not null,
  ip text default ''::text not null,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  is_dismissed boolean default false not null,
  constraint bulk_runs_pkey PRIMARY KEY (id),
  constraint bulk_runs_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id),
  constraint bulk_runs_finished CHECK (((state = 'running'::text) = (finished_at IS NULL))),
  constraint bulk_runs_state CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))),
  constraint bulk_runs_texts CHECK (((length(reason) <= 1000) AND (length(filter) <= 2000))),
  constraint bulk_runs_total CHECK (((total > 0) AND ((done + failed) <= total)))
);
CREATE INDEX bulk_runs_running ON public.bulk_runs USING btree (id) WHERE (state = 'running'::text);
CREATE INDEX bulk_runs_started ON public.bulk_runs USING btree (started_at);

create table campaign_people (
  campaign_id bigint not null,
  phone mobile_phone not null,
  customer_id bigint not null,
  lang text not null,
  state text default 'waiting'::text not null,
  reason text,
  stop_token text default translate(encode(SUBSTRING(uuid_send(gen_random_uuid()) FROM 1 FOR 6), 'base64'::text), '+/'::text, 'Aa'::text) not null,
  constraint campaign_people_pkey PRIMARY KEY (campaign_id, phone),
  constraint campaign_people_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE,
  constraint campaign_people_lang CHECK ((lang = ANY (ARRAY['en'::text, 'bn'::text]))),
  constraint campaign_people_reason CHECK (((state = 'skipped'::text) = (reason IS NOT NULL))),
  constraint campaign_people_reasons CHECK ((reason = ANY (ARRAY['opted-out'::text, 'closed'::text, 'budget'::text, 'stopped'::text]))),
  constraint campaign_people_state CHECK ((state = ANY (ARRAY['waiting'::text, 'queued'::text, 'skipped'::text])))
);
CREATE INDEX campaign_people_customer ON public.campaign_people USING btree (customer_id);
CREATE INDEX campaign_people_phone ON public.campaign_people USING btree (phone);
CREATE INDEX campaign_people_state ON public.campaign_people USING btree (campaign_id, state, phone);
CREATE UNIQUE INDEX campaign_people_stop_token ON public.campaign_people USING btree (stop_token);

create table campaigns (
  id bigint generated always as identity not null,
  name text not null,
  text_en text default ''::text not null,
  text_bn text default ''::text not null,
  filter text not null,
  total integer not null,
  parts_limit integer not null,
  parts_used integer default 0 not null,
  state text default 'running'::text not null,
  starts_at timestamp with time zone default now() not null,
  started_by bigint not null,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  sent integer,
  not_reached integer,
  constraint campaigns_pkey PRIMARY KEY (id),
  constraint campaigns_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id),
  constraint campaigns_budget CHECK (((parts_used >= 0) AND (parts_used <= parts_limit))),
  constraint campaigns_finished CHECK (((state = ANY (ARRAY['done'::text, 'stopped'::text])) = (finished_at IS NOT NULL))),
  constraint campaigns_state CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'done'::text, 'stopped'::text]))),
  constraint campaigns_texts CHECK ((((length(name) >= 1) AND (length(name) <= 255)) AND (length(text_en) <= 1000) AND (length(text_bn) <= 1000) AND ((text_en <> ''::text) OR (text_bn <> ''::text)) AND (length(filter) <= 2000))),
  constraint campaigns_total CHECK ((total > 0))
);
CREATE INDEX campaigns_running ON public.campaigns USING btree (id) WHERE (state = 'running'::text);

create table catalog_epoch (
  id integer default 1 not null,
  epoch bigint default 0 not null,
  constraint catalog_epoch_pkey PRIMARY KEY (id),
  constraint catalog_epoch_id_check CHECK ((id = 1))
);

create table categories (
  id integer generated by default as identity not null,
  slug text not null,
  name_en text not null,
  name_bn text not null,
  description text default ''::text not null,
  priority integer default 1 not null,
  delivery_group text default 'produce'::text not null,
  cod_allowed boolean default true not null,
  final_weighing_days smallint,
  version integer default 1 not null,
  key text,
  constraint categories_pkey PRIMARY KEY (id),
  constraint categories_key_key UNIQUE (key),
  constraint categories_slug_key UNIQUE (slug),
  constraint categories_delivery_group_check CHECK ((delivery_group = ANY (ARRAY['cattle'::text, 'produce'::text]))),
  constraint categories_final_weighing_days_check CHECK (((final_weighing_days >= 0) AND (final_weighing_days <= 60))),
  constraint categories_key_check CHECK ((key = ANY (ARRAY['home'::text, 'beef'::text, 'fruits'::text, 'kurbani'::text]))),
  constraint categories_name_bn_check CHECK ((btrim(name_bn) <> ''::text)),
  constraint categories_name_en_check CHECK ((btrim(name_en) <> ''::text)),
  constraint categories_priority_check CHECK ((priority >= 1)),
  constraint categories_texts_fit CHECK (((length(name_en) <= 100) AND (length(name_bn) <= 100) AND (length(description) <= 1000)))
);
CREATE TRIGGER categories_shown AFTER INSERT OR DELETE OR UPDATE ON public.categories FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table challenges (
  id bigint generated always as identity not null,
  token_hash bytea not null,
  purpose text not null,
  phone mobile_phone,
  user_id bigint,
  code_hash bytea,
  details jsonb default '{}'::jsonb not null,
  next_path text default '/'::text not null,
  tries smallint default 0 not null,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint challenges_pkey PRIMARY KEY (id),
  constraint challenges_token_hash_key UNIQUE (token_hash),
  constraint challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint challenges_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint challenges_next_path_check CHECK ((length(next_path) <= 2000)),
  constraint challenges_phone CHECK (((phone)::text <> ''::text)),
  constraint challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign-in'::text, 'new-password'::text, 'new-phone'::text, 'confirm'::text, 'second-factor'::text, 'first-password'::text, 'order-phone'::text]))),
  constraint challenges_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX challenges_age ON public.challenges USING btree (created_at);
CREATE INDEX challenges_user ON public.challenges USING btree (user_id) WHERE (user_id IS NOT NULL);

create table conversion_events (
  order_id bigint not null,
  browser_id text,
  click_id text,
  ip text,
  user_agent text,
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  failure text,
  not_before timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint conversion_events_pkey PRIMARY KEY (order_id),
  constraint conversion_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  constraint conversion_events_browser_id CHECK ((length(browser_id) <= 300)),
  constraint conversion_events_click_id CHECK ((length(click_id) <= 600)),
  constraint conversion_events_failure CHECK ((length(failure) <= 200)),
  constraint conversion_events_forget CHECK (((state = ANY (ARRAY['queued'::text, 'sending'::text])) OR (num_nonnulls(browser_id, click_id, ip, user_agent) = 0))),
  constraint conversion_events_ip CHECK ((length(ip) <= 60)),
  constraint conversion_events_state CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'skipped'::text]))),
  constraint conversion_events_user_agent CHECK ((length(user_agent) <= 500))
);
CREATE INDEX conversion_events_created ON public.conversion_events USING btree (created_at);
CREATE INDEX conversion_events_queue ON public.conversion_events USING btree (not_before) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text]));

create table coupon_categories (
  coupon_id bigint not null,
  category_id integer not null,
  constraint coupon_categories_pkey PRIMARY KEY (coupon_id, category_id),
  constraint coupon_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE CASCADE,
  constraint coupon_categories_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupons(id) ON DELETE CASCADE
);
CREATE INDEX coupon_categories_category ON public.coupon_categories USING btree (category_id);

create table coupon_products (
  coupon_id bigint not null,
  product_id bigint not null,
  constraint coupon_products_pkey PRIMARY KEY (coupon_id, product_id),
  constraint coupon_products_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupons(id) ON DELETE CASCADE,
  constraint coupon_products_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX coupon_products_product ON public.coupon_products USING btree (product_id);

create table coupon_uses (
  order_id bigint not null,
  coupon_id bigint not null,
  customer_id bigint not null,
  code coupon_code not null,
  discount_poisha amount not null,
  delivery_saved_poisha amount not null,
  at timestamp with time zone not null,
  released_at timestamp with time zone,
  kind text,
  percent_bp integer,
  value_poisha bigint,
  max_discount_poisha bigint,
  product_ids bigint[],
  constraint coupon_uses_pkey PRIMARY KEY (order_id),
  constraint coupon_uses_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupons(id),
  constraint coupon_uses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint coupon_uses_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
);
CREATE INDEX coupon_uses_coupon ON public.coupon_uses USING btree (coupon_id, order_id DESC);
CREATE INDEX coupon_uses_customer ON public.coupon_uses USING btree (coupon_id, customer_id) WHERE (released_at IS NULL);
CREATE INDEX coupon_uses_person ON public.coupon_uses USING btree (customer_id);

create table coupons (
  id bigint generated always as identity not null,
  code coupon_code not null,
  kind text not null,
  percent_bp percent_bp default 0 not null,
  value_poisha price default 0 not null,
  max_discount_poisha bigint,
  scope text default 'all'::text not null,
  min_subtotal_poisha amount default 0 not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  max_uses integer,
  max_uses_per_customer integer,
  first_order_only boolean default false not null,
  active boolean default true not null,
  note short_text default ''::text not null,
  uses integer default 0 not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint coupons_pkey PRIMARY KEY (id),
  constraint coupons_code_key UNIQUE (code),
  constraint coupon_gives_something CHECK (
CASE kind
    WHEN 'percentage'::text THEN (((percent_bp)::integer > 0) AND ((value_poisha)::bigint = 0))
    WHEN 'others'::text THEN (((value_poisha)::bigint > 0) AND ((percent_bp)::integer = 0))
    ELSE ((percent_bp)::integer = 0)
END),
  constraint coupons_kind_check CHECK ((kind = ANY (ARRAY['percentage'::text, 'free_shipping'::text, 'others'::text]))),
  constraint coupons_max_discount_poisha_check CHECK ((max_discount_poisha > 0)),
  constraint coupons_max_uses_check CHECK ((max_uses > 0)),
  constraint coupons_max_uses_per_customer_check CHECK ((max_uses_per_customer > 0)),
  constraint coupons_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'products'::text, 'categories'::text]))),
  constraint coupons_uses_check CHECK ((uses >= 0)),
  constraint ends_after_it_starts CHECK ((ends_at > starts_at)),
  constraint only_percentages_are_capped CHECK (((kind = 'percentage'::text) OR (max_discount_poisha IS NULL))),
  constraint uses_within_the_limit CHECK ((uses <= max_uses))
);

create table customer_notes (
  id bigint generated always as identity not null,
  customer_id bigint not null,
  note text not null,
  by_id bigint,
  at timestamp with time zone default now() not null,
  constraint customer_notes_pkey PRIMARY KEY (id),
  constraint customer_notes_by_id_fkey FOREIGN KEY (by_id) REFERENCES users(id),
  constraint customer_notes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint customer_notes_note_check CHECK (((btrim(note) <> ''::text) AND (length(note) <= 1000)))
);
CREATE INDEX customer_notes_customer ON public.customer_notes USING btree (customer_id, id DESC);

create table deleted_uploads (
  id bigint generated always as identity not null,
  file_names text[] not null,
  deleted_at timestamp with time zone default now() not null,
  constraint deleted_uploads_pkey PRIMARY KEY (id)
);

create table email_outbox (
  id bigint generated always as identity not null,
  event_key text not null,
  kind text not null,
  order_id bigint,
  recipient short_text not null,
  detail jsonb default '{}'::jsonb not null,
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  failure text,
  not_before timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '1 day'::interval) not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint email_outbox_pkey PRIMARY KEY (id),
  constraint email_outbox_event_key UNIQUE (event_key),
  constraint email_outbox_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  constraint email_outbox_event_key_length CHECK ((length(event_key) <= 400)),
  constraint email_outbox_failure CHECK ((length(failure) <= 200)),
  constraint email_outbox_kind CHECK ((kind = ANY (ARRAY['order-placed'::text, 'payment-received'::text, 'alarm'::text]))),
  constraint email_outbox_of_an_order CHECK (((kind = 'alarm'::text) = (order_id IS NULL))),
  constraint email_outbox_state CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'skipped'::text])))
);
CREATE INDEX email_outbox_created ON public.email_outbox USING btree (created_at);
CREATE INDEX email_outbox_order ON public.email_outbox USING btree (order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX email_outbox_queue ON public.email_outbox USING btree (not_before, id) WHERE (state = 'queued'::text);
CREATE INDEX email_outbox_sending ON public.email_outbox USING btree (updated_at) WHERE (state = 'sending'::text);

create table email_state (
  id integer default 1 not null,
  enabled_at timestamp with time zone,
  scanned_until timestamp with time zone default now() not null,
  constraint email_state_pkey PRIMARY KEY (id),
  constraint email_state_one_row CHECK ((id = 1))
);

create table gateway_events (
  gateway text not null,
  event_id text not null,
  attempt_id bigint,
  outcome text not null,
  detail jsonb default '{}'::jsonb not null,
  at timestamp with time zone default now() not null,
  constraint gateway_events_pkey PRIMARY KEY (gateway, event_id),
  constraint gateway_events_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempts(id)
);
CREATE INDEX gateway_events_attempt ON public.gateway_events USING btree (attempt_id);

create table gateway_refunds (
  id bigint generated always as identity not null,
  order_id bigint not null,
  attempt_id bigint not null,
  gateway text not null,
  gateway_txn text not null,
  refund_id text not null,
  amount_poisha bigint not null,
  reason text not null,
  state text default 'requested'::text not null,
  gateway_ref text,
  failure text,
  in_ledger boolean not null,
  ledger_entry_id bigint,
  reversal_entry_id bigint,
  created_by bigint not null,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint gateway_refunds_pkey PRIMARY KEY (id),
  constraint gateway_refunds_refund_id_key UNIQUE (refund_id),
  constraint gateway_refunds_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempts(id),
  constraint gateway_refunds_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint gateway_refunds_ledger_entry_id_fkey FOREIGN KEY (ledger_entry_id) REFERENCES ledger_entries(id),
  constraint gateway_refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint gateway_refunds_reversal_entry_id_fkey FOREIGN KEY (reversal_entry_id) REFERENCES ledger_entries(id),
  constraint accepted_is_in_ledger CHECK (((state <> ALL (ARRAY['processing'::text, 'done'::text])) OR ((ledger_entry_id IS NOT NULL) = in_ledger))),
  constraint failed_entry_is_reversed CHECK (((state <> 'failed'::text) OR ((reversal_entry_id IS NULL) = (ledger_entry_id IS NULL)))),
  constraint gateway_refunds_amount_poisha_check CHECK ((amount_poisha > 0)),
  constraint gateway_refunds_gateway_check CHECK ((gateway = ANY (ARRAY['sslcommerz'::text, 'bkash'::text]))),
  constraint gateway_refunds_reason_check CHECK (((btrim(reason) <> ''::text) AND (length(reason) <= 255))),
  constraint gateway_refunds_refund_id_check CHECK ((length(refund_id) <= 30)),
  constraint gateway_refunds_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'unknown'::text, 'processing'::text, 'done'::text, 'failed'::text]))),
  constraint open_is_not_in_ledger CHECK (((state <> ALL (ARRAY['requested'::text, 'unknown'::text])) OR (ledger_entry_id IS NULL))),
  constraint reversal_has_entry CHECK (((reversal_entry_id IS NULL) OR (ledger_entry_id IS NOT NULL)))
);
CREATE INDEX gateway_refunds_open ON public.gateway_refunds USING btree (updated_at) WHERE (state = ANY (ARRAY['requested'::text, 'unknown'::text, 'processing'::text]));
CREATE INDEX gateway_refunds_order ON public.gateway_refunds USING btree (order_id, id);
CREATE INDEX gateway_refunds_transaction ON public.gateway_refunds USING btree (gateway, gateway_txn);
CREATE UNIQUE INDEX gateway_refunds_unsettled ON public.gateway_refunds USING btree (gateway, gateway_txn) WHERE (state = ANY (ARRAY['requested'::text, 'unknown'::text]));

create table health_records (
  id bigint generated always as identity not null,
  product_id bigint not null,
  on_day date not null,
  kind text not null,
  what_en text default ''::text not null,
  what_bn text default ''::text not null,
  vet text default ''::text not null,
  image_id bigint,
  constraint health_records_pkey PRIMARY KEY (id),
  constraint health_records_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint health_records_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint health_records_kind_check CHECK ((kind = ANY (ARRAY['vaccination'::text, 'deworming'::text, 'check'::text, 'treatment'::text]))),
  constraint health_records_vet_check CHECK ((length(vet) <= 255)),
  constraint health_records_what_bn_check CHECK ((length(what_bn) <= 255)),
  constraint health_records_what_en_check CHECK ((length(what_en) <= 255)),
  constraint says_something CHECK ((btrim((what_en || what_bn)) <> ''::text))
);
CREATE INDEX health_records_image ON public.health_records USING btree (image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX health_records_product ON public.health_records USING btree (product_id, on_day DESC, id DESC);

create table held_sales (
  id uuid not null,
  name text not null,
  cashier_id bigint not null,
  register text not null,
  held_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  line_count integer not null,
  total_poisha bigint not null,
  request_hash bytea,
  sale jsonb,
  taken_at timestamp with time zone,
  taken_by bigint,
  take_key text,
  constraint held_sales_pkey PRIMARY KEY (id),
  constraint held_sales_cashier_id_fkey FOREIGN KEY (cashier_id) REFERENCES users(id),
  constraint held_sales_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES users(id),
  constraint held_sales_content CHECK (((sale IS NOT NULL) OR (taken_at IS NOT NULL))),
  constraint held_sales_counts CHECK (((line_count >= 0) AND (total_poisha >= 0))),
  constraint held_sales_name CHECK ((length(name) <= 60)),
  constraint held_sales_register CHECK ((length(register) <= 40)),
  constraint held_sales_taken CHECK ((((taken_at IS NULL) = (taken_by IS NULL)) AND ((taken_at IS NULL) = (take_key IS NULL))))
);
CREATE INDEX held_sales_created ON public.held_sales USING btree (created_at);
CREATE INDEX held_sales_waiting ON public.held_sales USING btree (held_at) WHERE (taken_at IS NULL);

create table idempotency_keys (
  key text not null,
  request_hash bytea not null,
  result jsonb not null,
  sent_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (key),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 240)))
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (sent_at);

create table images (
  id bigint generated always as identity not null,
  token text not null,
  width integer not null,
  height integer not null,
  widths integer[] not null,
  placeholder text not null,
  is_illustration boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_token_key UNIQUE (token),
  constraint images_height_check CHECK ((height > 0)),
  constraint images_placeholder_check CHECK ((length(placeholder) <= 2000)),
  constraint images_token_check CHECK ((token ~ '^[a-z0-9]{20,40}$'::text)),
  constraint images_width_check CHECK ((width > 0)),
  constraint images_widths_check CHECK ((cardinality(widths) > 0))
);
CREATE INDEX images_age ON public.images USING btree (created_at);

create table kurbani_bookings (
  id bigint generated always as identity not null,
  name text not null,
  email text default ''::text not null,
  phone text not null,
  district text default ''::text not null,
  thana text default ''::text not null,
  price_range text not null,
  weight text default ''::text not null,
  state text default 'new'::text not null,
  created_at timestamp with time zone default now() not null,
  note text default ''::text not null,
  version integer default 1 not null,
  handled_by bigint,
  handled_at timestamp with time zone,
  constraint kurbani_bookings_pkey PRIMARY KEY (id),
  constraint kurbani_bookings_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES users(id),
  constraint kurbani_bookings_district_check CHECK ((length(district) <= 255)),
  constraint kurbani_bookings_email_check CHECK ((length(email) <= 255)),
  constraint kurbani_bookings_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 255))),
  constraint kurbani_bookings_note_check CHECK ((length(note) <= 1000)),
  constraint kurbani_bookings_phone_check CHECK ((phone ~ '^01[3-9][0-9]{8}$'::text)),
  constraint kurbani_bookings_state_check CHECK ((state = ANY (ARRAY['new'::text, 'called'::text, 'matched'::text, 'closed'::text]))),
  constraint kurbani_bookings_thana_check CHECK ((length(thana) <= 255)),
  constraint kurbani_bookings_weight_check CHECK ((length(weight) <= 255))
);
CREATE INDEX kurbani_bookings_district ON public.kurbani_bookings USING btree (district, id DESC);
CREATE INDEX kurbani_bookings_phone ON public.kurbani_bookings USING btree (phone, created_at);
CREATE INDEX kurbani_bookings_price ON public.kurbani_bookings USING btree (price_range, id DESC);
CREATE INDEX kurbani_bookings_state ON public.kurbani_bookings USING btree (state, id DESC);

create table ledger_entries (
  id bigint generated always as identity not null,
  order_id bigint,
  kind text not null,
  method text not null,
  amount_poisha bigint not null,
  reference text,
  actor_id bigint,
  at timestamp with time zone default now() not null,
  shift_id bigint,
  paid_with_order boolean default false not null,
  account_payment_id bigint,
  return_id bigint,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_method_reference_key UNIQUE (method, reference),
  constraint ledger_entries_account_payment_id_fkey FOREIGN KEY (account_payment_id) REFERENCES account_payments(id),
  constraint ledger_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint ledger_entries_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint ledger_entries_return_id_fkey FOREIGN KEY (return_id) REFERENCES pos_returns(id),
  constraint ledger_entries_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint adjustment_is_no_payment CHECK ((((kind = ANY (ARRAY['fee'::text, 'write_off'::text])) = (method = ANY (ARRAY['fee'::text, 'write_off'::text]))) AND ((kind <> ALL (ARRAY['fee'::text, 'write_off'::text])) OR ((kind = method) AND (shift_id IS NULL))))),
  constraint entry_has_order_or_return CHECK (((order_id IS NULL) = (return_id IS NOT NULL))),
  constraint entry_of_return_is_a_refund CHECK (((order_id IS NOT NULL) OR ((kind = ANY (ARRAY['refund'::text, 'rounding'::text])) AND (shift_id IS NOT NULL)))),
  constraint exchange_has_two_sides CHECK (((method <> 'exchange'::text) OR ((kind =
CASE
    WHEN (amount_poisha > 0) THEN 'counter'::text
    ELSE 'refund'::text
END) AND (shift_id IS NOT NULL) AND (reference IS NOT NULL)))),
  constraint ledger_entries_amount_poisha_check CHECK ((amount_poisha <> 0)),
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['advance'::text, 'gateway'::text, 'cash_on_delivery'::text, 'counter'::text, 'settlement'::text, 'return'::text, 'rounding'::text, 'refund'::text, 'fee'::text, 'write_off'::text]))),
  constraint rounding_is_below_a_taka CHECK ((((kind = 'rounding'::text) = (method = 'rounding'::text)) AND ((kind <> 'rounding'::text) OR (abs(amount_poisha) < 100)))),
  constraint store_credit_at_the_pos CHECK (((method <> 'store_credit'::text) OR ((kind =
CASE
    WHEN (amount_poisha > 0) THEN 'counter'::text
    ELSE 'refund'::text
END) AND (shift_id IS NOT NULL))))
);
CREATE INDEX ledger_entries_account_payment ON public.ledger_entries USING btree (account_payment_id) WHERE (account_payment_id IS NOT NULL);
CREATE INDEX ledger_entries_adjustments ON public.ledger_entries USING btree (at, id) WHERE (kind = ANY (ARRAY['fee'::text, 'write_off'::text]));
CREATE INDEX ledger_entries_order ON public.ledger_entries USING btree (order_id, id);
CREATE INDEX ledger_entries_return ON public.ledger_entries USING btree (return_id) WHERE (return_id IS NOT NULL);
CREATE INDEX ledger_entries_shift ON public.ledger_entries USING btree (shift_id) WHERE (shift_id IS NOT NULL);
CREATE INDEX ledger_entries_time ON public.ledger_entries USING btree (at, id) INCLUDE (kind, method);
CREATE CONSTRAINT TRIGGER exchanges_add_up AFTER INSERT ON public.ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.method = 'exchange'::text)) EXECUTE FUNCTION check_exchange_sums();
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION update_ledger_balance();

create table order_drafts (
  id bigint generated always as identity not null,
  form jsonb not null,
  phone mobile_phone,
  created_by bigint not null,
  created_at timestamp with time zone not null,
  updated_by bigint not null,
  updated_at timestamp with time zone not null,
  version integer default 1 not null,
  constraint order_drafts_pkey PRIMARY KEY (id),
  constraint order_drafts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint order_drafts_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id),
  constraint order_drafts_form CHECK ((jsonb_typeof(form) = 'object'::text))
);
CREATE INDEX order_drafts_phone ON public.order_drafts USING btree (phone) WHERE (phone IS NOT NULL);
CREATE INDEX order_drafts_updated ON public.order_drafts USING btree (updated_at, id);

create table order_events (
  id bigint generated always as identity not null,
  order_id bigint not null,
  at timestamp with time zone default now() not null,
  actor_id bigint,
  actor order_actor not null,
  kind text not null,
  from_status text,
  to_status text,
  detail jsonb default '{}'::jsonb not null,
  constraint order_events_pkey PRIMARY KEY (order_id, id),
  constraint order_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint order_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  constraint order_events_comment CHECK (((kind <> 'comment'::text) OR (((actor)::text = 'staff'::text) AND (actor_id IS NOT NULL) AND ((COALESCE(length((detail ->> 'text'::text)), 1) >= 1) AND (COALESCE(length((detail ->> 'text'::text)), 1) <= 1000))))) NOT VALID
);
CREATE INDEX order_events_newest ON public.order_events USING brin (id) WITH (pages_per_range='32', autosummarize='on');

create table order_lines (
  order_id bigint not null,
  "position" smallint not null,
  product_id bigint not null,
  name_en text not null,
  name_bn text not null,
  unit text not null,
  quantity_milli ordered_amount not null,
  base_price_poisha amount not null,
  price_poisha amount not null,
  line_total_poisha amount not null,
  advance_poisha amount default 0 not null,
  tag_number text,
  booked_grams integer,
  booked_rate_poisha bigint,
  delivery_on date,
  note text default ''::text not null,
  discount_poisha bigint default 0 not null,
  constraint order_lines_pkey PRIMARY KEY (order_id, "position"),
  constraint order_lines_product UNIQUE (product_id, order_id),
  constraint order_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  constraint order_lines_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint order_lines_discount CHECK ((discount_poisha >= 0)) NOT VALID,
  constraint order_lines_note CHECK ((length(note) <= 100)),
  constraint price_at_most_base CHECK (((price_poisha)::bigint <= (base_price_poisha)::bigint))
) with (autovacuum_vacuum_insert_scale_factor=0.02);
CREATE INDEX order_lines_booked ON public.order_lines USING btree (order_id) WHERE (booked_rate_poisha IS NOT NULL);
CREATE INDEX order_lines_delivery ON public.order_lines USING btree (product_id, delivery_on) WHERE (delivery_on IS NOT NULL);
CREATE INDEX order_lines_tag ON public.order_lines USING btree (tag_number) WHERE (tag_number IS NOT NULL);
CREATE TRIGGER order_lines_delivery_added AFTER INSERT ON public.order_lines FOR EACH ROW WHEN ((new.delivery_on IS NOT NULL)) EXECUTE FUNCTION set_order_delivery();
CREATE TRIGGER order_lines_delivery_removed AFTER DELETE ON public.order_lines FOR EACH ROW WHEN ((old.delivery_on IS NOT NULL)) EXECUTE FUNCTION set_order_delivery();

create table order_tags (
  order_id bigint not null,
  tag text not null,
  constraint order_tags_pkey PRIMARY KEY (order_id, tag),
  constraint order_tags_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  constraint order_tags_tag CHECK ((((length(tag) >= 1) AND (length(tag) <= 30)) AND (tag = btrim(lower(tag)))))
);
CREATE INDEX order_tags_tag ON public.order_tags USING btree (tag, order_id);

create table orders (
  id bigint generated always as identity not null,
  source order_source default 'web'::text not null,
  status order_status default 'placed'::text not null,
  reason text,
  customer_id bigint not null,
  name name_text not null,
  phone mobile_phone not null,
  email short_text default ''::text not null,
  alternate_phone short_text default ''::text not null,
  address short_text not null,
  landmark short_text default ''::text not null,
  note short_text default ''::text not null,
  area_id integer,
  lang lang_code default 'en'::text not null,
  subtotal_poisha amount not null,
  shipping_poisha amount not null,
  discount_poisha amount not null,
  total_poisha amount not null,
  payment_type payment_type not null,
  payment_gateway payment_gateway not null,
  payable_poisha amount not null,
  is_free_order boolean default false not null,
  list_on date not null,
  placed_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  needs_attention text,
  access_token_hash bytea,
  view_key text not null,
  tracking_code text not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  idempotency_key request_key,
  request_hash bytea,
  remarks text default ''::text not null,
  ledger_balance_poisha bigint default 0 not null,
  name_phonetic_tsv tsvector generated always as (to_tsvector('simple'::regconfig, phonetic_key((name)::text))) stored not null,
  refunded_poisha bigint default 0 not null,
  settlement_poisha bigint default 0 not null,
  spent_poisha bigint generated always as (GREATEST((0)::bigint, (((total_poisha)::bigint + settlement_poisha) - GREATEST((0)::bigint, (refunded_poisha - GREATEST((0)::bigint, ((ledger_balance_poisha + refunded_poisha) - (total_poisha)::bigint))))))) stored not null,
  goods_on date,
  deliver_on date generated always as (GREATEST(list_on, goods_on)) stored not null,
  phone_verified boolean default false not null,
  deliveries smallint default 1 not null,
  is_collection boolean default false not null,
  fee_poisha bigint default 0 not null,
  written_off_poisha bigint default 0 not null,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_tracking_code_key UNIQUE (tracking_code),
  constraint orders_area_id_fkey FOREIGN KEY (area_id) REFERENCES areas(id),
  constraint orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint ended_has_reason CHECK ((((status)::text <> ALL (ARRAY['cancelled'::text, 'returned'::text])) OR (btrim(COALESCE(reason, ''::text)) <> ''::text))),
  constraint fee_not_below_zero CHECK ((fee_poisha >= 0)),
  constraint free_means_nothing_to_pay CHECK (((NOT is_free_order) OR ((total_poisha)::bigint = 0))),
  constraint one_or_two_deliveries CHECK ((deliveries = ANY (ARRAY[1, 2]))),
  constraint orders_remarks_check CHECK ((length(remarks) <= 1000)),
  constraint orders_without_phone CHECK ((((phone)::text <> ''::text) OR ((source)::text = 'pos'::text))),
  constraint payable_at_most_total CHECK (((payable_poisha)::bigint <= (total_poisha)::bigint)),
  constraint total_adds_up CHECK (((total_poisha)::bigint = (((subtotal_poisha)::bigint + (shipping_poisha)::bigint) - (discount_poisha)::bigint)))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02);
CREATE INDEX orders_area ON public.orders USING btree (area_id, placed_at, id) INCLUDE (status, source);
CREATE INDEX orders_attention ON public.orders USING btree (id) WHERE (needs_attention IS NOT NULL);
CREATE INDEX orders_customer_placed ON public.orders USING btree (customer_id, placed_at, id);
CREATE INDEX orders_day ON public.orders USING btree (deliver_on, placed_at, id) INCLUDE (status, area_id);
CREATE INDEX orders_due ON public.orders USING btree (placed_at, id) INCLUDE (area_id, status, source, deliver_on, customer_id) WHERE ((ledger_balance_poisha < (total_poisha)::bigint) AND ((status)::text <> ALL (ARRAY['cancelled'::text, 'returned'::text])));
CREATE INDEX orders_due_area ON public.orders USING btree (area_id, placed_at, id) INCLUDE (status, source, deliver_on, customer_id) WHERE ((ledger_balance_poisha < (total_poisha)::bigint) AND ((status)::text <> ALL (ARRAY['cancelled'::text, 'returned'::text])));
CREATE INDEX orders_due_status ON public.orders USING btree (status, placed_at, id) INCLUDE (area_id, source, deliver_on, customer_id) WHERE ((ledger_balance_poisha < (total_poisha)::bigint) AND ((status)::text <> ALL (ARRAY['cancelled'::text, 'returned'::text])));
CREATE INDEX orders_expiry ON public.orders USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND ((status)::text = 'placed'::text));
CREATE UNIQUE INDEX orders_idempotency_key ON public.orders USING btree (idempotency_key);
CREATE INDEX orders_name ON public.orders USING gin (name_phonetic_tsv) WITH (fastupdate='on', gin_pending_list_limit='512');
CREATE INDEX orders_phone ON public.orders USING btree (phone);
CREATE INDEX orders_placed ON public.orders USING btree (placed_at, id) INCLUDE (name_phonetic_tsv);
CREATE INDEX orders_receipt ON public.orders USING btree (upper("left"(replace(split_part((idempotency_key)::text, ':'::text, 2), '-'::text, ''::text), 6)), id) WHERE ((source)::text = 'pos'::text);
CREATE INDEX orders_refund ON public.orders USING btree (placed_at, id) WHERE (
CASE
    WHEN ((status)::text = ANY (ARRAY['cancelled'::text, 'returned'::text])) THEN (- (ledger_balance_poisha + settlement_poisha))
    ELSE ((total_poisha)::bigint - ledger_balance_poisha)
END < 0);
CREATE INDEX orders_source ON public.orders USING btree (source, placed_at, id);
CREATE INDEX orders_spent ON public.orders USING btree (placed_at) INCLUDE (customer_id, spent_poisha) WHERE ((status)::text = ANY (ARRAY['delivered'::text, 'completed'::text]));
CREATE INDEX orders_spent_customer ON public.orders USING btree (customer_id, placed_at) INCLUDE (spent_poisha) WHERE ((status)::text = ANY (ARRAY['delivered'::text, 'completed'::text]));
CREATE INDEX orders_status ON public.orders USING btree (status, placed_at, id) INCLUDE (area_id, source);
CREATE INDEX orders_sum ON public.orders USING btree ((
CASE
    WHEN ((status)::text = ANY (ARRAY['cancelled'::text, 'returned'::text])) THEN (total_poisha)::bigint
    ELSE ((total_poisha)::bigint + settlement_poisha)
END), id);
CREATE INDEX orders_two_deliveries ON public.orders USING btree (deliver_on, list_on) WHERE (deliveries = 2);
CREATE CONSTRAINT TRIGGER order_coupon AFTER UPDATE OF status ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.status)::text IS DISTINCT FROM (new.status)::text) AND (((old.status)::text = 'cancelled'::text) OR ((new.status)::text = 'cancelled'::text)))) EXECUTE FUNCTION sync_coupon_uses();
CREATE TRIGGER orders_merged_customer BEFORE INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION use_merged_customer();
CREATE TRIGGER orders_reopened BEFORE UPDATE OF status ON public.orders FOR EACH ROW WHEN ((((old.status)::text <> ALL (ARRAY['placed'::text, 'processing'::text, 'on_delivery'::text])) AND ((new.status)::text = ANY (ARRAY['placed'::text, 'processing'::text, 'on_delivery'::text])))) EXECUTE FUNCTION set_reopened_delivery();

create table past_categories (
  product_id bigint not null,
  category_id integer not null,
  until timestamp with time zone not null,
  constraint past_categories_pkey PRIMARY KEY (product_id, until),
  constraint past_categories_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);

create table payment_attempts (
  id bigint generated always as identity not null,
  order_id bigint not null,
  gateway text not null,
  tran_id text not null,
  amount_poisha bigint not null,
  state text default 'initiated'::text not null,
  gateway_ref text,
  redirect_url text,
  gateway_txn text,
  failure text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  is_rest boolean default false not null,
  answered_at timestamp with time zone,
  constraint payment_attempts_pkey PRIMARY KEY (id),
  constraint payment_attempts_tran_id_key UNIQUE (tran_id),
  constraint payment_attempts_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint payment_attempts_amount_poisha_check CHECK ((amount_poisha > 0)),
  constraint payment_attempts_gateway_check CHECK ((gateway = ANY (ARRAY['sslcommerz'::text, 'bkash'::text]))),
  constraint payment_attempts_state_check CHECK ((state = ANY (ARRAY['initiated'::text, 'pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'review'::text, 'refused'::text]))),
  constraint payment_attempts_tran_id_check CHECK ((length(tran_id) <= 30))
);
CREATE INDEX payment_attempts_created ON public.payment_attempts USING btree (created_at) INCLUDE (state);
CREATE INDEX payment_attempts_ended ON public.payment_attempts USING btree (created_at) WHERE ((state = ANY (ARRAY['failed'::text, 'expired'::text])) AND (gateway_ref IS NOT NULL));
CREATE INDEX payment_attempts_open ON public.payment_attempts USING btree (created_at) WHERE (state = ANY (ARRAY['initiated'::text, 'pending'::text]));
CREATE INDEX payment_attempts_order ON public.payment_attempts USING btree (order_id, id);
CREATE UNIQUE INDEX payment_attempts_ref ON public.payment_attempts USING btree (gateway, gateway_ref) WHERE (gateway_ref IS NOT NULL);
CREATE INDEX payment_attempts_review ON public.payment_attempts USING btree (updated_at) WHERE (state = 'review'::text);

create table policy_pages (
  slug text not null,
  title_en text not null,
  title_bn text not null,
  body_en text not null,
  body_bn text not null,
  updated_on date not null,
  version integer default 1 not null,
  is_draft boolean default false not null,
  constraint policy_pages_pkey PRIMARY KEY (slug),
  constraint policy_pages_slug_check CHECK ((slug = ANY (ARRAY['terms-condition'::text, 'privacy-policy'::text, 'return-refund'::text, 'shipping-info'::text, 'about'::text, 'contact'::text])))
);
CREATE TRIGGER policy_pages_shown AFTER INSERT OR DELETE OR UPDATE ON public.policy_pages FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table popups (
  id integer generated always as identity not null,
  image_id bigint not null,
  alt_en text default ''::text not null,
  alt_bn text default ''::text not null,
  link text default ''::text not null,
  starts_at timestamp with time zone default now() not null,
  ends_at timestamp with time zone,
  active boolean default true not null,
  version integer default 1 not null,
  constraint popups_pkey PRIMARY KEY (id),
  constraint popups_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint ends_after_it_starts CHECK ((ends_at > starts_at)),
  constraint popups_link_check CHECK (((link = ''::text) OR (link ~ '^/([^/\\]|$)'::text) OR (link ~ '^https://'::text)))
);
CREATE INDEX popups_image ON public.popups USING btree (image_id);
CREATE TRIGGER popups_shown AFTER INSERT OR DELETE OR UPDATE ON public.popups FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table pos_approval_codes (
  user_id bigint not null,
  code_hash text not null,
  set_at timestamp with time zone not null,
  constraint pos_approval_codes_pkey PRIMARY KEY (user_id),
  constraint pos_approval_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table pos_approvals (
  id bigint generated always as identity not null,
  shift_id bigint not null,
  sale_key request_key not null,
  supervisor_id bigint not null,
  discount_poisha amount not null,
  at timestamp with time zone not null,
  order_id bigint,
  lines jsonb not null,
  constraint pos_approvals_pkey PRIMARY KEY (id),
  constraint pos_approvals_shift_id_sale_key_key UNIQUE (shift_id, sale_key),
  constraint pos_approvals_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint pos_approvals_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint pos_approvals_supervisor_id_fkey FOREIGN KEY (supervisor_id) REFERENCES users(id),
  constraint pos_approvals_lines_check CHECK ((jsonb_typeof(lines) = 'array'::text))
);
CREATE INDEX pos_approvals_order ON public.pos_approvals USING btree (order_id) WHERE (order_id IS NOT NULL);

create table pos_cash_movements (
  id bigint generated always as identity not null,
  shift_id bigint not null,
  amount_poisha bigint not null,
  reason short_text not null,
  at timestamp with time zone not null,
  constraint pos_cash_movements_pkey PRIMARY KEY (id),
  constraint pos_cash_movements_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint pos_cash_movements_amount_poisha_check CHECK ((amount_poisha <> 0)),
  constraint pos_cash_movements_reason_check CHECK ((btrim((reason)::text) <> ''::text))
);
CREATE INDEX pos_cash_movements_shift ON public.pos_cash_movements USING btree (shift_id, id);

create table pos_favourites (
  id integer default 1 not null,
  product_ids bigint[] default '{}'::bigint[] not null,
  version integer default 1 not null,
  constraint pos_favourites_pkey PRIMARY KEY (id),
  constraint pos_favourites_count CHECK ((cardinality(product_ids) <= 60)),
  constraint pos_favourites_one_row CHECK ((id = 1))
);

create table pos_registers (
  id bigint generated always as identity not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  active boolean default true not null,
  version integer default 1 not null,
  constraint pos_registers_pkey PRIMARY KEY (id),
  constraint register_name CHECK (((name = btrim(name)) AND ((length(name) >= 1) AND (length(name) <= 40))))
);
CREATE UNIQUE INDEX pos_registers_name ON public.pos_registers USING btree (lower(name));

create table pos_return_lines (
  return_id bigint not null,
  product_id bigint not null,
  quantity_milli ordered_amount not null,
  goods_poisha amount not null,
  is_spoiled boolean not null,
  constraint pos_return_lines_pkey PRIMARY KEY (return_id, product_id),
  constraint pos_return_lines_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint pos_return_lines_return_id_fkey FOREIGN KEY (return_id) REFERENCES pos_returns(id)
);

create table pos_returns (
  id bigint generated always as identity not null,
  order_id bigint,
  shift_id bigint,
  at timestamp with time zone not null,
  reason short_text not null,
  worth_poisha amount not null,
  refund_poisha amount not null,
  idempotency_key request_key not null,
  request_hash bytea not null,
  approved_by bigint,
  exchange_order_id bigint,
  phone mobile_phone,
  staff_id bigint,
  constraint pos_returns_pkey PRIMARY KEY (id),
  constraint pos_returns_idempotency_key_key UNIQUE (idempotency_key),
  constraint pos_returns_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  constraint pos_returns_exchange_order_id_fkey FOREIGN KEY (exchange_order_id) REFERENCES orders(id),
  constraint pos_returns_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint pos_returns_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint pos_returns_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id),
  constraint exchanged_for_another_order CHECK ((exchange_order_id <> order_id)),
  constraint pos_returns_check CHECK (((refund_poisha)::bigint <= (worth_poisha)::bigint)),
  constraint pos_returns_reason_check CHECK ((btrim((reason)::text) <> ''::text)),
  constraint return_by_staff_pays_nothing CHECK (((shift_id IS NOT NULL) OR ((order_id IS NOT NULL) AND ((refund_poisha)::bigint = 0) AND (exchange_order_id IS NULL)))),
  constraint return_has_order_or_phone CHECK (((order_id IS NULL) = (phone IS NOT NULL))),
  constraint return_has_shift_or_staff CHECK (((shift_id IS NULL) = (staff_id IS NOT NULL))),
  constraint return_without_order_is_approved CHECK (((order_id IS NOT NULL) OR ((approved_by IS NOT NULL) AND (exchange_order_id IS NULL))))
);
CREATE UNIQUE INDEX pos_returns_exchange ON public.pos_returns USING btree (exchange_order_id) WHERE (exchange_order_id IS NOT NULL);
CREATE INDEX pos_returns_order ON public.pos_returns USING btree (order_id, id);
CREATE INDEX pos_returns_shift ON public.pos_returns USING btree (shift_id, id);
CREATE INDEX pos_returns_without_order ON public.pos_returns USING btree (at, id) WHERE (order_id IS NULL);

create table pos_sales (
  order_id bigint not null,
  shift_id bigint not null,
  tendered_poisha amount not null,
  change_poisha amount not null,
  constraint pos_sales_pkey PRIMARY KEY (order_id),
  constraint pos_sales_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint pos_sales_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint pos_sales_check CHECK (((change_poisha)::bigint <= (tendered_poisha)::bigint))
);
CREATE INDEX pos_sales_shift ON public.pos_sales USING btree (shift_id, order_id);

create table pos_shift_counts (
  shift_id bigint not null,
  method text not null,
  counted_poisha bigint not null,
  expected_poisha bigint not null,
  constraint pos_shift_counts_pkey PRIMARY KEY (shift_id, method),
  constraint pos_shift_counts_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES pos_shifts(id),
  constraint pos_shift_counts_method_check CHECK ((method = ANY (ARRAY['nagad'::text, 'rocket'::text, 'card'::text])))
);

create table pos_shifts (
  id bigint generated always as identity not null,
  cashier_id bigint not null,
  opened_at timestamp with time zone not null,
  opening_cash_poisha amount not null,
  closed_at timestamp with time zone,
  counted_cash_poisha amount,
  counted_bkash_poisha bigint,
  counted_bank_poisha bigint,
  expected_cash_poisha bigint,
  expected_bkash_poisha bigint,
  expected_bank_poisha bigint,
  note short_text default ''::text not null,
  register text default ''::text not null,
  z_number integer,
  register_id bigint,
  constraint pos_shifts_pkey PRIMARY KEY (id),
  constraint pos_shifts_cashier_id_fkey FOREIGN KEY (cashier_id) REFERENCES users(id),
  constraint pos_shifts_register_id_fkey FOREIGN KEY (register_id) REFERENCES pos_registers(id),
  constraint closed_has_z_number CHECK (((closed_at IS NULL) = (z_number IS NULL))),
  constraint closed_is_counted CHECK ((num_nulls(closed_at, counted_cash_poisha, counted_bkash_poisha, counted_bank_poisha, expected_cash_poisha, expected_bkash_poisha, expected_bank_poisha) = ANY (ARRAY[0, 7]))),
  constraint difference_is_explained CHECK (((closed_at IS NULL) OR (btrim((note)::text) <> ''::text) OR (((counted_cash_poisha)::bigint = expected_cash_poisha) AND (counted_bkash_poisha = expected_bkash_poisha) AND (counted_bank_poisha = expected_bank_poisha)))),
  constraint register_fits CHECK ((length(register) <= 40)),
  constraint z_number_is_positive CHECK ((z_number > 0))
);
CREATE UNIQUE INDEX one_open_shift ON public.pos_shifts USING btree (cashier_id) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX one_open_shift_of_register ON public.pos_shifts USING btree (register_id) WHERE (closed_at IS NULL);
CREATE INDEX pos_shifts_cashier ON public.pos_shifts USING btree (cashier_id, closed_at);
CREATE INDEX pos_shifts_opened ON public.pos_shifts USING btree (opened_at, id);
CREATE INDEX pos_shifts_register ON public.pos_shifts USING btree (register_id, closed_at DESC);
CREATE UNIQUE INDEX pos_shifts_z_number ON public.pos_shifts USING btree (z_number);

create table product_categories (
  product_id bigint not null,
  category_id integer not null,
  constraint product_categories_pkey PRIMARY KEY (product_id, category_id),
  constraint product_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE CASCADE,
  constraint product_categories_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX product_categories_category ON public.product_categories USING btree (category_id, product_id);
CREATE TRIGGER product_categories_added AFTER INSERT ON public.product_categories REFERENCING NEW TABLE AS changed_categories FOR EACH STATEMENT EXECUTE FUNCTION touch_products_of_changed_categories();
CREATE TRIGGER product_categories_shown AFTER INSERT OR DELETE OR UPDATE ON public.product_categories FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();
CREATE TRIGGER product_categories_taken AFTER DELETE ON public.product_categories REFERENCING OLD TABLE AS changed_categories FOR EACH STATEMENT EXECUTE FUNCTION touch_products_of_changed_categories();

create table product_media (
  product_id bigint not null,
  "position" smallint not null,
  kind text not null,
  image_id bigint,
  video_url text,
  constraint product_media_pkey PRIMARY KEY (product_id, "position"),
  constraint product_media_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint product_media_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint media_has_one_source CHECK ((((kind = 'image'::text) = (image_id IS NOT NULL)) AND ((kind = 'video'::text) = (video_url IS NOT NULL)))),
  constraint product_media_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'video'::text]))),
  constraint product_media_video_url_check CHECK (((video_url ~ '^https://'::text) OR (video_url ~ '^/uploads/'::text)))
);
CREATE INDEX product_media_image ON public.product_media USING btree (image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX product_media_video ON public.product_media USING btree (video_url) WHERE (video_url IS NOT NULL);
CREATE TRIGGER product_media_added AFTER INSERT ON public.product_media REFERENCING NEW TABLE AS changed_media FOR EACH STATEMENT EXECUTE FUNCTION touch_products_of_changed_media();
CREATE TRIGGER product_media_changed AFTER UPDATE ON public.product_media REFERENCING NEW TABLE AS changed_media FOR EACH STATEMENT EXECUTE FUNCTION touch_products_of_changed_media();
CREATE TRIGGER product_media_shown AFTER INSERT OR DELETE OR UPDATE ON public.product_media FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();
CREATE TRIGGER product_media_taken AFTER DELETE ON public.product_media REFERENCING OLD TABLE AS changed_media FOR EACH STATEMENT EXECUTE FUNCTION touch_products_of_changed_media();

create table product_ratings (
  product_id bigint not null,
  review_count integer not null,
  rating_sum integer not null,
  constraint product_ratings_pkey PRIMARY KEY (product_id),
  constraint product_ratings_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint product_ratings_sum CHECK (((review_count >= 0) AND ((rating_sum >= review_count) AND (rating_sum <= (5 * review_count)))))
);

create table product_waits (
  id bigint generated always as identity not null,
  product_id bigint not null,
  phone mobile_phone not null,
  lang text not null,
  created_at timestamp with time zone default now() not null,
  constraint product_waits_pkey PRIMARY KEY (id),
  constraint product_waits_once UNIQUE (product_id, phone),
  constraint product_waits_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint product_waits_lang CHECK ((lang = ANY (ARRAY['en'::text, 'bn'::text]))),
  constraint product_waits_phone_given CHECK (((phone)::text <> ''::text))
);
CREATE INDEX product_waits_phone ON public.product_waits USING btree (phone);

create table products (
  id bigint generated by default as identity not null,
  category_id integer not null,
  name_en name_text not null,
  name_bn name_text not null,
  description_en text default ''::text not null,
  description_bn text default ''::text not null,
  price_poisha price not null,
  unit sale_unit default 'piece'::text not null,
  status product_status default 'in-stock'::text not null,
  discount_kind text,
  discount_value bigint,
  sizes_milli size_list default '{}'::integer[] not null,
  shipping_poisha amount default 0 not null,
  advance_minimum_poisha amount default 0 not null,
  advance_percent_bp percent_bp default 0 not null,
  advance_round_poisha amount default 0 not null,
  coupon_applicable boolean default true not null,
  delivery_on date,
  note_en text default ''::text not null,
  note_bn text default ''::text not null,
  hold_reason text,
  is_unique boolean default false not null,
  stock_milli amount,
  barcode barcode,
  tag_number tag_number,
  breed_en text,
  breed_bn text,
  coat text,
  teeth smallint,
  birth_month date,
  sold_by_live_weight boolean default false not null,
  weight_grams grams,
  weighed_on date,
  season text default ''::text not null,
  visible boolean default true not null,
  search_aliases text default ''::text not null,
  search_text text default ''::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  availability_rank smallint default 0 not null,
  archived_at timestamp with time zone,
  is_low_stock boolean default false not null,
  changed_xid xid8 default pg_current_xact_id() not null,
  raised_in text,
  sex text,
  sold_out_as text,
  constraint products_pkey PRIMARY KEY (id),
  constraint products_barcode_key UNIQUE (barcode),
  constraint products_tag_number_key UNIQUE (tag_number),
  constraint products_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id),
  constraint animal_has_tag CHECK (((NOT is_unique) OR (tag_number IS NOT NULL))),
  constraint animal_is_one CHECK (((NOT is_unique) OR (((stock_milli)::bigint = ANY (ARRAY[(0)::bigint, (1000)::bigint])) AND ((sizes_milli)::integer[] = '{}'::integer[])))),
  constraint archived_is_hidden CHECK (((archived_at IS NULL) OR (NOT visible))),
  constraint discount_in_bounds CHECK (((discount_kind IS NULL) OR ((discount_value >= 0) AND (discount_value <=
CASE discount_kind
    WHEN 'percentage'::text THEN (10000)::bigint
    ELSE (price_poisha)::bigint
END)))),
  constraint discount_is_whole CHECK (((discount_kind IS NULL) = (discount_value IS NULL))),
  constraint free_animal_has_stock CHECK (((NOT is_unique) OR ((status)::text <> ALL (ARRAY['in-stock'::text, 'pre-book'::text])) OR ((stock_milli)::bigint = 1000))),
  constraint products_discount_kind_check CHECK ((discount_kind = ANY (ARRAY['percentage'::text, 'fixed'::text]))),
  constraint products_hold_reason_check CHECK ((hold_reason = ANY (ARRAY['booked'::text, 'soon'::text, 'returned'::text]))),
  constraint products_raised_in_fits CHECK ((length(raised_in) <= 60)),
  constraint products_season_fits CHECK ((length(season) <= 60)),
  constraint products_sex_known CHECK ((sex = ANY (ARRAY['bull'::text, 'ox'::text, 'cow'::text, 'heifer'::text]))),
  constraint products_sold_out_as CHECK (((sold_out_as IS NULL) OR ((sold_out_as = 'pre-book'::text) AND ((status)::text = 'out-of-stock'::text)))),
  constraint products_teeth_check CHECK (((teeth >= 0) AND (teeth <= 8)))
) with (fillfactor=80);
CREATE INDEX products_admin_category ON public.products USING btree (category_id, id) INCLUDE (status, is_unique, visible, archived_at);
CREATE INDEX products_admin_hidden ON public.products USING btree (id) WHERE (NOT visible);
CREATE INDEX products_admin_kind ON public.products USING btree (is_unique, id) INCLUDE (category_id, status, visible, archived_at);
CREATE INDEX products_admin_low ON public.products USING btree (id) WHERE is_low_stock;
CREATE INDEX products_admin_name_bn ON public.products USING btree (name_bn, id) INCLUDE (category_id, status, is_unique, visible, archived_at);
CREATE INDEX products_admin_name_en ON public.products USING btree (name_en, id) INCLUDE (category_id, status, is_unique, visible, archived_at);
CREATE INDEX products_admin_price ON public.products USING btree (price_poisha, id) INCLUDE (category_id, status, is_unique, visible, archived_at);
CREATE INDEX products_admin_status ON public.products USING btree (status, id) INCLUDE (category_id, is_unique, visible, archived_at);
CREATE INDEX products_changed ON public.products USING btree (changed_xid);
CREATE INDEX products_delivery_on ON public.products USING btree (delivery_on) WHERE (delivery_on IS NOT NULL);
CREATE INDEX products_hidden_search ON public.products USING gin (search_text gin_trgm_ops) WHERE (NOT visible);
CREATE INDEX products_search ON public.products USING gin (search_text gin_trgm_ops) WHERE visible;
CREATE INDEX products_tag ON public.products USING btree (upper((tag_number)::text) text_pattern_ops) WHERE is_unique;
CREATE INDEX products_tag_number ON public.products USING btree (ltrim(replace(upper((tag_number)::text), '-'::text, ''::text), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'::text)) WHERE is_unique;
CREATE INDEX products_updated ON public.products USING btree (updated_at, id);
CREATE TRIGGER products_change BEFORE UPDATE OF category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status, discount_kind, discount_value, sizes_milli, shipping_poisha, advance_minimum_poisha, advance_percent_bp, advance_round_poisha, coupon_applicable, delivery_on, note_en, note_bn, hold_reason, is_unique, barcode, tag_number, breed_en, breed_bn, coat, teeth, birth_month, sold_by_live_weight, weight_grams, weighed_on, season, visible, search_aliases, raised_in, sex ON public.products FOR EACH ROW WHEN (((old.category_id IS DISTINCT FROM new.category_id) OR ((old.name_en)::text IS DISTINCT FROM (new.name_en)::text) OR ((old.name_bn)::text IS DISTINCT FROM (new.name_bn)::text) OR (old.description_en IS DISTINCT FROM new.description_en) OR (old.description_bn IS DISTINCT FROM new.description_bn) OR ((old.price_poisha)::bigint IS DISTINCT FROM (new.price_poisha)::bigint) OR ((old.unit)::text IS DISTINCT FROM (new.unit)::text) OR ((old.status)::text IS DISTINCT FROM (new.status)::text) OR (old.discount_kind IS DISTINCT FROM new.discount_kind) OR (old.discount_value IS DISTINCT FROM new.discount_value) OR ((old.sizes_milli)::integer[] IS DISTINCT FROM (new.sizes_milli)::integer[]) OR ((old.shipping_poisha)::bigint IS DISTINCT FROM (new.shipping_poisha)::bigint) OR ((old.advance_minimum_poisha)::bigint IS DISTINCT FROM (new.advance_minimum_poisha)::bigint) OR ((old.advance_percent_bp)::integer IS DISTINCT FROM (new.advance_percent_bp)::integer) OR ((old.advance_round_poisha)::bigint IS DISTINCT FROM (new.advance_round_poisha)::bigint) OR (old.coupon_applicable IS DISTINCT FROM new.coupon_applicable) OR (old.delivery_on IS DISTINCT FROM new.delivery_on) OR (old.note_en IS DISTINCT FROM new.note_en) OR (old.note_bn IS DISTINCT FROM new.note_bn) OR (old.hold_reason IS DISTINCT FROM new.hold_reason) OR (old.is_unique IS DISTINCT FROM new.is_unique) OR ((old.barcode)::text IS DISTINCT FROM (new.barcode)::text) OR ((old.tag_number)::text IS DISTINCT FROM (new.tag_number)::text) OR (old.breed_en IS DISTINCT FROM new.breed_en) OR (old.breed_bn IS DISTINCT FROM new.breed_bn) OR (old.coat IS DISTINCT FROM new.coat) OR (old.teeth IS DISTINCT FROM new.teeth) OR (old.birth_month IS DISTINCT FROM new.birth_month) OR (old.sold_by_live_weight IS DISTINCT FROM new.sold_by_live_weight) OR ((old.weight_grams)::integer IS DISTINCT FROM (new.weight_grams)::integer) OR (old.weighed_on IS DISTINCT FROM new.weighed_on) OR (old.season IS DISTINCT FROM new.season) OR (old.visible IS DISTINCT FROM new.visible) OR (old.search_aliases IS DISTINCT FROM new.search_aliases) OR (old.raised_in IS DISTINCT FROM new.raised_in) OR (old.sex IS DISTINCT FROM new.sex))) EXECUTE FUNCTION set_product_derived_columns();
CREATE TRIGGER products_deleted AFTER DELETE ON public.products FOR EACH STATEMENT EXECUTE FUNCTION advance_catalog_epoch();
CREATE TRIGGER products_delivery AFTER UPDATE OF delivery_on ON public.products FOR EACH ROW WHEN ((old.delivery_on IS DISTINCT FROM new.delivery_on)) EXECUTE FUNCTION update_order_delivery_dates();
CREATE TRIGGER products_insert BEFORE INSERT ON public.products FOR EACH ROW EXECUTE FUNCTION set_product_derived_columns();
CREATE TRIGGER products_low_stock BEFORE UPDATE OF stock_milli ON public.products FOR EACH ROW WHEN (((NOT new.is_unique) AND (((old.stock_milli)::bigint <= 100000) IS DISTINCT FROM ((new.stock_milli)::bigint <= 100000)))) EXECUTE FUNCTION set_low_stock();
CREATE TRIGGER products_past_category AFTER UPDATE OF category_id ON public.products FOR EACH ROW WHEN ((old.category_id <> new.category_id)) EXECUTE FUNCTION record_past_category();
CREATE TRIGGER products_shown AFTER INSERT OR DELETE ON public.products FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();
CREATE TRIGGER products_shown_change AFTER UPDATE OF category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status, discount_kind, discount_value, sizes_milli, shipping_poisha, advance_minimum_poisha, advance_percent_bp, advance_round_poisha, coupon_applicable, delivery_on, note_en, note_bn, hold_reason, is_unique, barcode, tag_number, breed_en, breed_bn, coat, teeth, birth_month, sold_by_live_weight, weight_grams, weighed_on, season, visible, search_aliases, raised_in, sex ON public.products FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION notify_catalog_changed();
CREATE TRIGGER products_sold_out BEFORE UPDATE OF status ON public.products FOR EACH ROW WHEN (((old.status)::text IS DISTINCT FROM (new.status)::text)) EXECUTE FUNCTION set_sold_out_as();
CREATE TRIGGER products_truncated AFTER TRUNCATE ON public.products FOR EACH STATEMENT EXECUTE FUNCTION advance_catalog_epoch();

create table push_messages (
  subscription_id bigint not null,
  kind text not null,
  count integer not null,
  attempts integer default 0 not null,
  not_before timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint push_messages_pkey PRIMARY KEY (subscription_id, kind),
  constraint push_messages_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE,
  constraint push_messages_count CHECK ((count > 0)),
  constraint push_messages_kind CHECK ((length(kind) <= 40))
);
CREATE INDEX push_messages_due ON public.push_messages USING btree (not_before);
CREATE INDEX push_messages_expired ON public.push_messages USING btree (expires_at);

create table push_state (
  id integer default 1 not null,
  public_key bytea,
  secret bytea,
  pushed jsonb default '{}'::jsonb not null,
  constraint push_state_pkey PRIMARY KEY (id),
  constraint push_state_keys CHECK (((public_key IS NULL) = (secret IS NULL))),
  constraint push_state_one_row CHECK ((id = 1))
);

create table push_subscriptions (
  id bigint generated always as identity not null,
  user_id bigint not null,
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  lang text not null,
  created_at timestamp with time zone default now() not null,
  failures integer default 0 not null,
  session_id bigint,
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_endpoint UNIQUE (endpoint),
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint push_subscriptions_endpoint_length CHECK ((length(endpoint) <= 1000)),
  constraint push_subscriptions_keys CHECK (((length(p256dh) = 65) AND (length(auth) = 16))),
  constraint push_subscriptions_lang CHECK ((lang = ANY (ARRAY['en'::text, 'bn'::text])))
);
CREATE INDEX push_subscriptions_user ON public.push_subscriptions USING btree (user_id, id);

create table rate_tiers (
  category_id integer not null,
  season text default ''::text not null,
  from_grams integer not null,
  poisha_per_kg bigint not null,
  constraint rate_tiers_pkey PRIMARY KEY (category_id, season, from_grams),
  constraint rate_tiers_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE CASCADE,
  constraint rate_tiers_from_grams_check CHECK ((from_grams >= 0)),
  constraint rate_tiers_poisha_per_kg_check CHECK ((poisha_per_kg > 0)),
  constraint rate_tiers_season_fits CHECK ((length(season) <= 60))
);
CREATE TRIGGER rate_tiers_shown AFTER INSERT OR DELETE OR UPDATE ON public.rate_tiers FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table reconciled_days (
  account_id bigint not null,
  day date not null,
  statement_poisha bigint not null,
  books_poisha bigint not null,
  open_rows integer not null,
  open_entries integer not null,
  note text default ''::text not null,
  closed_by bigint not null,
  closed_at timestamp with time zone not null,
  constraint reconciled_days_pkey PRIMARY KEY (account_id, day),
  constraint reconciled_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES statement_accounts(id),
  constraint reconciled_days_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id),
  constraint reconciled_days_note CHECK ((((open_rows + open_entries) = 0) OR (btrim(note) <> ''::text)))
);

create table recovery_codes (
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32))
);

create table returned_animals (
  product_id bigint not null,
  order_id bigint not null,
  returned_at timestamp with time zone default now() not null,
  is_ill boolean default false not null,
  note short_text default ''::text not null,
  constraint returned_animals_pkey PRIMARY KEY (product_id),
  constraint returned_animals_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  constraint returned_animals_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX returned_animals_order ON public.returned_animals USING btree (order_id);

create table review_pictures (
  review_id bigint not null,
  "position" smallint not null,
  image_id bigint not null,
  constraint review_pictures_pkey PRIMARY KEY (review_id, "position"),
  constraint review_pictures_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint review_pictures_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id) ON DELETE CASCADE,
  constraint review_pictures_position CHECK ((("position" >= 0) AND ("position" <= 2)))
);
CREATE INDEX review_pictures_image ON public.review_pictures USING btree (image_id);

create table reviews (
  id bigint generated always as identity not null,
  order_id bigint not null,
  product_id bigint not null,
  rating smallint not null,
  body text default ''::text not null,
  shown_name text not null,
  state text default 'waiting'::text not null,
  refusal text default ''::text not null,
  answer text default ''::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  handled_by bigint,
  handled_at timestamp with time zone,
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_order_product UNIQUE (order_id, product_id),
  constraint reviews_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES users(id),
  constraint reviews_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint reviews_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint reviews_answer CHECK ((length(answer) <= 1000)),
  constraint reviews_body CHECK ((length(body) <= 1000)),
  constraint reviews_rating CHECK (((rating >= 1) AND (rating <= 5))),
  constraint reviews_refusal CHECK (((length(refusal) <= 255) AND ((state = 'refused'::text) = (refusal <> ''::text)))),
  constraint reviews_shown_name CHECK (((btrim(shown_name) <> ''::text) AND (length(shown_name) <= 60))),
  constraint reviews_state CHECK ((state = ANY (ARRAY['waiting'::text, 'published'::text, 'refused'::text])))
);
CREATE INDEX reviews_published ON public.reviews USING btree (product_id, id DESC) WHERE (state = 'published'::text);
CREATE INDEX reviews_state ON public.reviews USING btree (state, id DESC);
CREATE TRIGGER reviews_count_change AFTER UPDATE ON public.reviews FOR EACH ROW WHEN (((old.state = 'published'::text) OR (new.state = 'published'::text))) EXECUTE FUNCTION count_review();
CREATE TRIGGER reviews_count_deleted AFTER DELETE ON public.reviews FOR EACH ROW WHEN ((old.state = 'published'::text)) EXECUTE FUNCTION count_review();
CREATE TRIGGER reviews_count_new AFTER INSERT ON public.reviews FOR EACH ROW WHEN ((new.state = 'published'::text)) EXECUTE FUNCTION count_review();

create table sales_day_categories (
  day date not null,
  category_id integer not null,
  orders integer not null,
  total_poisha bigint not null,
  constraint sales_day_categories_pkey PRIMARY KEY (day, category_id)
);

create table sales_days (
  day date not null,
  area_id integer not null,
  source order_source not null,
  orders integer not null,
  total_poisha bigint not null,
  discount_poisha bigint not null,
  shipping_poisha bigint not null,
  done_orders integer not null,
  done_poisha bigint not null,
  lost_orders integer not null,
  lost_poisha bigint not null,
  constraint sales_days_pkey PRIMARY KEY (day, area_id, source)
);

create table sales_progress (
  id integer default 1 not null,
  next_event bigint default 0 not null,
  refreshed_at timestamp with time zone,
  seen_event bigint,
  seen_xid bigint,
  constraint sales_progress_pkey PRIMARY KEY (id),
  constraint sales_progress_id_check CHECK ((id = 1)),
  constraint sales_progress_seen CHECK (((seen_event IS NULL) = (seen_xid IS NULL)))
);

create table saved_filters (
  id bigint generated always as identity not null,
  user_id bigint not null,
  screen text not null,
  name text not null,
  query text not null,
  constraint saved_filters_pkey PRIMARY KEY (id),
  constraint saved_filters_user_id_screen_name_key UNIQUE (user_id, screen, name),
  constraint saved_filters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint saved_filters_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 60))),
  constraint saved_filters_query_check CHECK ((length(query) <= 1000)),
  constraint saved_filters_screen_check CHECK ((screen ~ '^[a-z][a-z-]{1,39}$'::text))
);
CREATE TRIGGER saved_filters_shown AFTER INSERT OR DELETE OR UPDATE ON public.saved_filters FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table scheduled_jobs (
  name text not null,
  last_ok_at timestamp with time zone,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  watched_since timestamp with time zone default now() not null,
  constraint scheduled_jobs_pkey PRIMARY KEY (name),
  constraint scheduled_jobs_failures CHECK (((failures >= 0) AND ((failures > 0) = (failing_since IS NOT NULL)))),
  constraint scheduled_jobs_name CHECK (((length(name) >= 1) AND (length(name) <= 60)))
);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table second_factors (
  user_id bigint not null,
  secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  created_at timestamp with time zone not null,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table sessions (
  token_hash bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ip text default ''::text not null,
  user_agent text default ''::text not null,
  id bigint generated always as identity not null,
  checked_at timestamp with time zone default now() not null,
  locked_at timestamp with time zone,
  pin_tries smallint default 0 not null,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

create table settings (
  key text not null,
  value jsonb not null,
  constraint settings_pkey PRIMARY KEY (key)
);
CREATE TRIGGER settings_shown AFTER INSERT OR DELETE OR UPDATE ON public.settings FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table settlements (
  weigh_in_id bigint not null,
  order_id bigint not null,
  product_id bigint not null,
  old_grams integer not null,
  new_grams integer not null,
  rate_poisha bigint not null,
  ledger_entry_id bigint,
  settled_by bigint,
  at timestamp with time zone default now() not null,
  constraint settlements_pkey PRIMARY KEY (weigh_in_id, order_id),
  constraint settlements_ledger_entry_id_key UNIQUE (ledger_entry_id),
  constraint settlements_ledger_entry_id_fkey FOREIGN KEY (ledger_entry_id) REFERENCES ledger_entries(id),
  constraint settlements_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint settlements_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint settlements_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES users(id),
  constraint settlements_weigh_in_id_fkey FOREIGN KEY (weigh_in_id) REFERENCES weigh_ins(id),
  constraint settlements_new_grams_check CHECK ((new_grams > 0)),
  constraint settlements_old_grams_check CHECK ((old_grams > 0)),
  constraint settlements_rate_poisha_check CHECK ((rate_poisha > 0))
);
CREATE INDEX settlements_order ON public.settlements USING btree (order_id, weigh_in_id);

create table slot_products (
  slot_id integer not null,
  product_id bigint not null,
  "position" integer default 0 not null,
  constraint slot_products_pkey PRIMARY KEY (slot_id, product_id),
  constraint slot_products_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint slot_products_slot_id_fkey FOREIGN KEY (slot_id) REFERENCES slots(id) ON DELETE CASCADE
);
CREATE TRIGGER slot_products_shown AFTER INSERT OR DELETE OR UPDATE ON public.slot_products FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table slots (
  id integer generated always as identity not null,
  name_en text not null,
  name_bn text not null,
  "position" integer default 0 not null,
  active boolean default true not null,
  version integer default 1 not null,
  constraint slots_pkey PRIMARY KEY (id),
  constraint slots_names_fit CHECK (((length(name_en) <= 100) AND (length(name_bn) <= 100)))
);
CREATE TRIGGER slots_shown AFTER INSERT OR DELETE OR UPDATE ON public.slots FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();

create table sms_days (
  day date not null,
  sent integer not null,
  alarmed_at timestamp with time zone,
  constraint sms_days_pkey PRIMARY KEY (day),
  constraint sms_days_sent_check CHECK ((sent >= 0))
);

create table sms_opt_outs (
  phone mobile_phone not null,
  source text not null,
  at timestamp with time zone default now() not null,
  constraint sms_opt_outs_pkey PRIMARY KEY (phone),
  constraint sms_opt_outs_phone CHECK (((phone)::text <> ''::text)),
  constraint sms_opt_outs_source CHECK ((source = ANY (ARRAY['link'::text, 'staff'::text])))
);

create table sms_outbox (
  id bigint generated always as identity not null,
  purpose text not null,
  order_id bigint,
  template text not null,
  phone text not null,
  body text not null,
  state text default 'queued'::text not null,
  attempts smallint default 0 not null,
  not_before timestamp with time zone default now() not null,
  provider_ref text,
  failure text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '1 day'::interval) not null,
  sent_by bigint,
  campaign_id bigint,
  parts smallint default 1 not null,
  constraint sms_outbox_pkey PRIMARY KEY (id),
  constraint sms_outbox_purpose_order_id_template_phone_key UNIQUE (purpose, order_id, template, phone),
  constraint sms_outbox_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint sms_outbox_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint sms_outbox_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES users(id),
  constraint sms_outbox_body_check CHECK ((length(body) <= 1000)),
  constraint sms_outbox_campaign CHECK (((purpose = 'campaign'::text) = (campaign_id IS NOT NULL))),
  constraint sms_outbox_parts CHECK (((parts >= 1) AND (parts <= 6))),
  constraint sms_outbox_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'submitted'::text, 'failed'::text, 'unknown'::text, 'skipped'::text])))
);
CREATE INDEX sms_outbox_campaign_open ON public.sms_outbox USING btree (campaign_id) WHERE ((campaign_id IS NOT NULL) AND (state = ANY (ARRAY['queued'::text, 'sending'::text])));
CREATE UNIQUE INDEX sms_outbox_campaign_phone ON public.sms_outbox USING btree (campaign_id, phone) WHERE (campaign_id IS NOT NULL);
CREATE INDEX sms_outbox_expiry ON public.sms_outbox USING btree (expires_at) WHERE (state = 'queued'::text);
CREATE INDEX sms_outbox_order ON public.sms_outbox USING btree (order_id, id DESC) WHERE (order_id IS NOT NULL);
CREATE INDEX sms_outbox_phone ON public.sms_outbox USING btree (phone, id DESC);
CREATE INDEX sms_outbox_problems ON public.sms_outbox USING btree (state, created_at) WHERE (state = ANY (ARRAY['failed'::text, 'unknown'::text]));
CREATE INDEX sms_outbox_queue ON public.sms_outbox USING btree (((purpose <> 'code'::text)), not_before, id) WHERE (state = 'queued'::text);
CREATE INDEX sms_outbox_sending ON public.sms_outbox USING btree (updated_at) WHERE (state = 'sending'::text);
CREATE INDEX sms_outbox_state ON public.sms_outbox USING btree (state, id DESC);

create table sms_provider (
  id integer default 1 not null,
  paused_until timestamp with time zone,
  problem text,
  problem_since timestamp with time zone,
  balance_poisha bigint,
  balance_at timestamp with time zone,
  constraint sms_provider_pkey PRIMARY KEY (id),
  constraint sms_provider_id_check CHECK ((id = 1))
);

create table staff_pins (
  user_id bigint not null,
  pin_hash text not null,
  set_at timestamp with time zone default now() not null,
  constraint staff_pins_pkey PRIMARY KEY (user_id),
  constraint staff_pins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table statement_accounts (
  id bigint generated always as identity not null,
  name text not null,
  method text not null,
  mapping jsonb,
  created_at timestamp with time zone default now() not null,
  constraint statement_accounts_pkey PRIMARY KEY (id),
  constraint statement_accounts_name_key UNIQUE (name),
  constraint statement_accounts_method CHECK ((method = ANY (ARRAY['bank'::text, 'bkash'::text, 'nagad'::text, 'rocket'::text, 'card'::text]))),
  constraint statement_accounts_name CHECK (((btrim(name) <> ''::text) AND (length(name) <= 100)))
);

create table statement_matches (
  entry_id bigint not null,
  row_id bigint not null,
  kind text not null,
  reason text,
  matched_by bigint not null,
  matched_at timestamp with time zone not null,
  constraint statement_matches_pkey PRIMARY KEY (entry_id),
  constraint statement_matches_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entries(id) ON DELETE CASCADE,
  constraint statement_matches_matched_by_fkey FOREIGN KEY (matched_by) REFERENCES users(id),
  constraint statement_matches_row_id_fkey FOREIGN KEY (row_id) REFERENCES statement_rows(id),
  constraint statement_matches_kind CHECK ((kind = ANY (ARRAY['reference'::text, 'amount'::text, 'manual'::text]))),
  constraint statement_matches_reason CHECK ((((kind = 'manual'::text) = (reason IS NOT NULL)) AND (btrim(reason) <> ''::text)))
);
CREATE INDEX statement_matches_row ON public.statement_matches USING btree (row_id);

create table statement_rows (
  id bigint generated always as identity not null,
  account_id bigint not null,
  upload_id bigint not null,
  line integer not null,
  day date not null,
  amount_poisha bigint not null,
  reference text,
  details text default ''::text not null,
  row_hash text not null,
  is_automatic boolean default true not null,
  explanation text,
  explained_by bigint,
  explained_at timestamp with time zone,
  constraint statement_rows_pkey PRIMARY KEY (id),
  constraint statement_rows_hash_key UNIQUE (account_id, row_hash),
  constraint statement_rows_account_id_fkey FOREIGN KEY (account_id) REFERENCES statement_accounts(id),
  constraint statement_rows_explained_by_fkey FOREIGN KEY (explained_by) REFERENCES users(id),
  constraint statement_rows_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES statement_uploads(id),
  constraint statement_rows_amount CHECK ((amount_poisha <> 0)),
  constraint statement_rows_details CHECK ((length(details) <= 255)),
  constraint statement_rows_explained CHECK ((((explanation IS NULL) = (explained_at IS NULL)) AND ((explanation IS NULL) = (explained_by IS NULL)) AND (btrim(explanation) <> ''::text))),
  constraint statement_rows_reference CHECK ((reference ~ '^[A-Z0-9-]{6,40}$'::text))
);
CREATE INDEX statement_rows_day ON public.statement_rows USING btree (account_id, day, id);
CREATE INDEX statement_rows_upload ON public.statement_rows USING btree (upload_id);

create table statement_uploads (
  id bigint generated always as identity not null,
  account_id bigint not null,
  file_name text not null,
  row_count integer not null,
  new_count integer not null,
  uploaded_by bigint not null,
  uploaded_at timestamp with time zone not null,
  constraint statement_uploads_pkey PRIMARY KEY (id),
  constraint statement_uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES statement_accounts(id),
  constraint statement_uploads_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id),
  constraint statement_uploads_counts CHECK (((new_count >= 0) AND (new_count <= row_count))),
  constraint statement_uploads_file_name CHECK ((length(file_name) <= 255))
);
CREATE INDEX statement_uploads_account ON public.statement_uploads USING btree (account_id, id DESC);

create table stock_movements (
  id bigint generated always as identity not null,
  product_id bigint not null,
  order_id bigint,
  delta_milli moved_amount not null,
  reason movement_reason not null,
  at timestamp with time zone default now() not null,
  constraint stock_movements_pkey PRIMARY KEY (product_id, id),
  constraint stock_movements_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint stock_movements_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint stock_movements_moved CHECK ((((delta_milli)::bigint <> 0) OR (((reason)::text = 'counted'::text) AND (order_id IS NULL))))
);
CREATE INDEX stock_movements_order ON public.stock_movements USING btree (order_id);

create table stock_take_lines (
  take_id bigint not null,
  product_id bigint not null,
  expected_milli amount not null,
  counted_milli amount not null,
  reason text default 'counted'::text not null,
  first_counted_at timestamp with time zone not null,
  counted_at timestamp with time zone not null,
  counted_by bigint not null,
  version integer default 1 not null,
  price_poisha amount,
  last_movement_id bigint,
  constraint stock_take_lines_pkey PRIMARY KEY (take_id, product_id),
  constraint stock_take_lines_counted_by_fkey FOREIGN KEY (counted_by) REFERENCES users(id),
  constraint stock_take_lines_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint stock_take_lines_take_id_fkey FOREIGN KEY (take_id) REFERENCES stock_takes(id),
  constraint stock_take_lines_counted CHECK (((counted_milli)::bigint <= '1000000000000'::bigint)),
  constraint stock_take_lines_reason CHECK (((reason = 'counted'::text) OR ((reason = ANY (ARRAY['spoiled'::text, 'lost'::text])) AND ((counted_milli)::bigint < (expected_milli)::bigint)) OR ((reason = 'found'::text) AND ((counted_milli)::bigint > (expected_milli)::bigint))))
);
CREATE INDEX stock_take_lines_different ON public.stock_take_lines USING btree (take_id, counted_at, product_id) WHERE ((counted_milli)::bigint <> (expected_milli)::bigint);
CREATE INDEX stock_take_lines_product ON public.stock_take_lines USING btree (product_id);
CREATE INDEX stock_take_lines_recent ON public.stock_take_lines USING btree (take_id, counted_at, product_id);

create table stock_takes (
  id bigint generated always as identity not null,
  category_id integer,
  category_en text,
  category_bn text,
  note text default ''::text not null,
  state text default 'open'::text not null,
  started_by bigint not null,
  started_at timestamp with time zone not null,
  ended_by bigint,
  ended_at timestamp with time zone,
  difference_poisha bigint,
  removed_version integer default 0 not null,
  lines integer,
  differences integer,
  constraint stock_takes_pkey PRIMARY KEY (id),
  constraint stock_takes_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE SET NULL,
  constraint stock_takes_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id),
  constraint stock_takes_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id),
  constraint stock_takes_category CHECK ((((category_en IS NULL) = (category_bn IS NULL)) AND ((category_id IS NULL) OR (category_en IS NOT NULL)))),
  constraint stock_takes_difference CHECK (((state = 'closed'::text) = (difference_poisha IS NOT NULL))),
  constraint stock_takes_ended CHECK ((((state = 'open'::text) = (ended_at IS NULL)) AND ((ended_at IS NULL) = (ended_by IS NULL)))),
  constraint stock_takes_note CHECK ((length(note) <= 200)),
  constraint stock_takes_state CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'cancelled'::text])))
);
CREATE INDEX stock_takes_category ON public.stock_takes USING btree (category_id);

create table store_credit_entries (
  id bigint generated always as identity not null,
  customer_id bigint not null,
  amount_poisha bigint not null,
  order_id bigint,
  return_id bigint,
  actor_id bigint not null,
  at timestamp with time zone not null,
  balance_poisha bigint not null,
  constraint store_credit_entries_pkey PRIMARY KEY (id),
  constraint store_credit_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint store_credit_entries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint store_credit_entries_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint store_credit_entries_return_id_fkey FOREIGN KEY (return_id) REFERENCES pos_returns(id),
  constraint store_credit_amount_fits CHECK (((amount_poisha >= '-100000000000000'::bigint) AND (amount_poisha <= '100000000000000'::bigint))),
  constraint store_credit_not_below_zero CHECK ((balance_poisha >= 0)),
  constraint store_credit_of_a_sale_or_a_return CHECK ((((order_id IS NOT NULL) AND (return_id IS NULL) AND (amount_poisha < 0)) OR ((order_id IS NULL) AND (return_id IS NOT NULL) AND (amount_poisha > 0))))
);
CREATE INDEX store_credit_entries_customer ON public.store_credit_entries USING btree (customer_id, id);
CREATE UNIQUE INDEX store_credit_entries_order ON public.store_credit_entries USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX store_credit_entries_return ON public.store_credit_entries USING btree (return_id) WHERE (return_id IS NOT NULL);
CREATE TRIGGER add_store_credit_entry BEFORE INSERT ON public.store_credit_entries FOR EACH ROW EXECUTE FUNCTION add_store_credit_entry();

create table users (
  id bigint generated always as identity not null,
  role text default 'customer'::text not null,
  name name_text not null,
  phone mobile_phone not null,
  email short_text,
  password_hash text,
  phone_verified_at timestamp with time zone,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  email_at timestamp with time zone,
  password_once boolean default false not null,
  name_phonetic_tsv tsvector generated always as (to_tsvector('simple'::regconfig, phonetic_key((name)::text))) stored not null,
  merged_into bigint,
  merged_at timestamp with time zone,
  credit_limit_poisha bigint default 0 not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_phone_key UNIQUE (phone),
  constraint users_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES users(id),
  constraint credit_limit_fits CHECK (((credit_limit_poisha >= 0) AND (credit_limit_poisha <= '10000000000'::bigint))),
  constraint merged_into_another CHECK ((merged_into <> id)),
  constraint merged_is_closed CHECK (((merged_into IS NULL) OR (disabled_at IS NOT NULL))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['customer'::text, 'owner'::text, 'manager'::text, 'sales'::text, 'cashier'::text, 'weigher'::text, 'viewer'::text, 'walk-in'::text]))),
  constraint users_without_phone CHECK ((((phone)::text = ''::text) = (role = 'walk-in'::text)))
);
CREATE INDEX users_disabled ON public.users USING btree (id) WHERE (disabled_at IS NOT NULL);
CREATE INDEX users_email ON public.users USING btree (lower((email)::text), email_at, id) WHERE (password_hash IS NOT NULL);
CREATE INDEX users_email_start ON public.users USING btree (lower((email)::text) text_pattern_ops) WHERE (email IS NOT NULL);
CREATE INDEX users_merged ON public.users USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX users_name ON public.users USING gin (name_phonetic_tsv) WITH (fastupdate='on', gin_pending_list_limit='512');
CREATE INDEX users_sorted_name ON public.users USING btree (lower((name)::text), id) WHERE ((role = 'customer'::text) AND (merged_into IS NULL));
CREATE INDEX users_staff ON public.users USING btree (id) WHERE (role <> 'customer'::text);
CREATE TRIGGER users_sms_opt_out AFTER UPDATE OF phone, merged_into ON public.users FOR EACH ROW WHEN ((((old.phone)::text IS DISTINCT FROM (new.phone)::text) OR (old.merged_into IS DISTINCT FROM new.merged_into))) EXECUTE FUNCTION carry_sms_opt_out();

create table videos (
  token text not null,
  bytes bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint videos_pkey PRIMARY KEY (token),
  constraint videos_bytes_check CHECK ((bytes > 0)),
  constraint videos_token_check CHECK ((token ~ '^[a-z0-9]{20,40}$'::text))
);

create table weigh_ins (
  id bigint generated always as identity not null,
  product_id bigint not null,
  weighed_on date not null,
  grams integer not null,
  method text default 'scale'::text not null,
  weighed_by text default ''::text not null,
  image_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint weigh_ins_pkey PRIMARY KEY (id),
  constraint weigh_ins_product_id_weighed_on_id_key UNIQUE (product_id, weighed_on, id),
  constraint weigh_ins_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint weigh_ins_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint weigh_ins_grams_check CHECK (((grams >= 1) AND (grams <= 2000000))),
  constraint weigh_ins_method_check CHECK ((method = ANY (ARRAY['scale'::text, 'tape'::text, 'estimate'::text])))
);
CREATE INDEX weigh_ins_day ON public.weigh_ins USING btree (weighed_on);
CREATE INDEX weigh_ins_image ON public.weigh_ins USING btree (image_id) WHERE (image_id IS NOT NULL);
CREATE INDEX weigh_ins_product ON public.weigh_ins USING btree (product_id, weighed_on DESC, id DESC);
CREATE TRIGGER weigh_ins_shown AFTER INSERT OR DELETE OR UPDATE ON public.weigh_ins FOR EACH STATEMENT EXECUTE FUNCTION notify_catalog_changed();
