-- The leaderboard of years reads nearly all orders: customer by customer, so that their sums need no table in memory. A month is still
-- read along orders_spent. Neither is written to by an order that is placed.
create index orders_spent_customer on orders (customer_id, placed_at) include (spent_poisha) where status in ('delivered', 'completed');
