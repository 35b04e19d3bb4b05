-- A count that finds the expected stock is a movement of nothing: an open stock take learns that the product was counted since.
alter domain moved_amount drop constraint moved_amount_check;
alter table stock_movements
  add constraint stock_movements_moved check (delta_milli <> 0 or (reason = 'counted' and order_id is null)) not valid;
