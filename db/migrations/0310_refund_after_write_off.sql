-- The refund of an overpayment that was written off left an amount due: of a live order all money could still be paid back, also the part
-- that the shop keeps. While an overpayment is written off, only what is still to be refunded may be paid back.
create or replace function amount_refundable(o orders) returns bigint language sql immutable parallel safe
  return case when o.written_off_poisha < 0 then greatest(-amount_due(o), 0)
    else o.ledger_balance_poisha + o.settlement_poisha - o.written_off_poisha end;

comment on function amount_refundable is
  'The most that may be paid back: money received less fees kept; while an overpayment is written off, the refund that is still due.';
