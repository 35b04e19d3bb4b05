-- A sale to the number of a merged customer, without a typed name, has the name of the customer who gets it. A typed name replaces the placeholder
-- name of that customer, not that of the merged record.
create or replace function insert_pos_sales(orders jsonb, wait_for_locks boolean, walk_in_names text[])
returns jsonb language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
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
end $$;
