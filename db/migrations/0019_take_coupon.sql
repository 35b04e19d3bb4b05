-- A coupon is counted with the order that uses it, and given back with the order that is cancelled. The coupon's row is always the
-- last to be locked, behind order and goods, so that nobody waits in a ring.

-- Counts the use of a coupon by an order just written. `coupon`: {id, version, discount_poisha, delivery_saved_poisha}; the version is
-- that of the terms the order was worked out from. Answers null, or why not: 'stale', 'used-up', 'used-by-you', 'first-order-only'.
create function take_coupon(for_order bigint, coupon jsonb) returns text
language plpgsql as $$
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
  elsif (select count(*) from coupon_uses where coupon_id = c.id and customer_id = buyer and freed_at is null) >= c.max_uses_per_customer then
    return 'used-by-you';
  elsif c.first_order_only and exists (
    select 1 from orders where customer_id = buyer and id <> for_order and status <> 'cancelled') then
    return 'first-order-only';
  end if;
  insert into coupon_uses (order_id, coupon_id, customer_id, code, discount_poisha, delivery_saved_poisha, at)
  values (for_order, c.id, buyer, c.code, (coupon ->> 'discount_poisha')::bigint, (coupon ->> 'delivery_saved_poisha')::bigint, placed);
  update coupons set uses = uses + 1 where id = c.id;
  return null;
end $$;

-- Places an order that uses a coupon: both or neither. Answers as place_order does, or {reason: 'coupon', coupon: why}.
create function place_order_with_coupon(wanted jsonb) returns jsonb
language plpgsql as $$
declare
  answer jsonb;
  refusal text;
begin
  answer := place_order(wanted);
  if answer ->> 'order_id' is null or (answer ->> 'replayed')::boolean then
    return answer;
  end if;
  refusal := take_coupon((answer ->> 'order_id')::bigint, wanted -> 'coupon');
  if refusal is not null then
    -- Takes the order back that was written above.
    raise exception sqlstate 'KH001';
  end if;
  return answer;
exception when sqlstate 'KH001' then
  return case refusal when 'stale' then jsonb_build_object('reason', 'stale') else jsonb_build_object('reason', 'coupon', 'coupon', refusal) end;
end $$;

-- An order that is cancelled gives its use back; opened again it counts again, unless others have had the last one: it keeps its discount.
create function follow_order_with_coupon() returns trigger
language plpgsql as $$
begin
  if new.status = 'cancelled' then
    update coupons c set uses = c.uses - 1 from coupon_uses u where u.order_id = new.id and u.freed_at is null and c.id = u.coupon_id;
    update coupon_uses set freed_at = new.updated_at where order_id = new.id and freed_at is null;
  else
    update coupons c set uses = c.uses + 1 from coupon_uses u
    where u.order_id = new.id and u.freed_at is not null and c.id = u.coupon_id and (c.max_uses is null or c.uses < c.max_uses);
    if found then
      update coupon_uses set freed_at = null where order_id = new.id;
    end if;
  end if;
  return null;
end $$;

create constraint trigger order_coupon after update of status on orders deferrable initially deferred
for each row when (old.status is distinct from new.status and (old.status = 'cancelled' or new.status = 'cancelled'))
execute function follow_order_with_coupon();
