-- An online payment of what is still due of an order whose promised payment has come: the previous program writes none.
alter table payment_attempts add column is_rest boolean not null default false;
