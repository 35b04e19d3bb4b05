-- After its own short lock: reading all movements blocks none that are written meanwhile.
alter table stock_movements validate constraint stock_movements_moved;
