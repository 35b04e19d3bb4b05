-- A reopened order took its use of a coupon again although its customer had used the coupon as often as one customer may.
create or replace function sync_coupon_uses() returns trigger language plpgsql as $$
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
end $$;

-- The session in which a device was last switched on or registered: logging out of it ends the notifications. Null of an earlier release.
alter table push_subscriptions add column session_id bigint;
