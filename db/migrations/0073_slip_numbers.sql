-- A slip printed without network is numbered by the beginning of its sale's key, and is found by it when goods come back.
create index orders_slip on orders (left(upper(regexp_replace(idempotency_key, '^pos-[0-9]+:|[^0-9A-Za-z]', '', 'g')), 6), id)
  where source = 'pos';
