-- `orders_customer_placed` answers what this index did.
drop index if exists orders_customer;
