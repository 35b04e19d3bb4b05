-- The ordered products that a coupon applied to when it was used. An edit of the order asked the coupon of now: after it was limited to other
-- products, or a product was taken out of coupons, the discount no longer fell with what was taken off the order. Null for uses of an earlier
-- version, which have the products of their coupon.
alter table coupon_uses add column product_ids bigint[];

create or replace function redeem_coupon(for_order bigint, coupon jsonb) returns text language plpgsql as $$
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
end $$;
