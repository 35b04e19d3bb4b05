-- Who is to be told that an order comes tomorrow: goods with a day of their own are few.
create index products_delivery_on on products (delivery_on) where delivery_on is not null;
