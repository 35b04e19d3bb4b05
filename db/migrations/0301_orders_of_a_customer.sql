-- concurrently
-- The newest orders of a customer with thousands of them, most of them old, were looked for along all orders of the shop.
create index if not exists orders_customer_placed on orders (customer_id, placed_at, id);
