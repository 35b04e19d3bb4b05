-- The one definition of the amount due. Every screen, call, SMS and report reads it from here.
-- `paid_poisha` is the sum of all ledger entries; `settled_poisha` is the part that weighings and returned goods changed, with the other sign.

-- Money received for an order, less money refunded. Settlement entries are not money.
create function amount_received(o orders) returns bigint language sql immutable parallel safe
  return o.paid_poisha + o.settled_poisha;

-- Amount due = total - sum of all ledger entries, settlement entries included. Below zero: to be refunded.
-- A cancelled or returned order charges nothing, so all money received for it is to be refunded.
create function amount_due(o orders) returns bigint language sql immutable parallel safe
  return case when o.status in ('cancelled', 'returned') then -(o.paid_poisha + o.settled_poisha) else o.total_poisha - o.paid_poisha end;

-- The list of money to refund: amount_due(o) < 0, spelled out so that the index serves it and updates stay cheap.
drop index orders_refund;
create index orders_refund on orders (placed_at, id) where case when status in ('cancelled', 'returned') then -(paid_poisha + settled_poisha) else total_poisha - paid_poisha end < 0;
