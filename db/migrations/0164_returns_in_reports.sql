-- Reports and the list of sales read returns without a receipt by time.
create index pos_returns_without_order on pos_returns (at, id) where order_id is null;
