-- Sales on account (decision 24): what a customer may owe, the part of a POS sale that was left unpaid, and payments received later. What a
-- customer owes is the amount due of these orders; there is no balance column.
alter table users add column credit_limit_poisha bigint default 0 not null constraint credit_limit_fits
  check (credit_limit_poisha between 0 and 10000000000);

create table account_sales (
  order_id bigint primary key references orders (id),
  amount_poisha ordered_amount not null
);

create table account_payments (
  id bigint generated always as identity primary key,
  customer_id bigint not null references users (id),
  shift_id bigint references pos_shifts (id),
  actor_id bigint not null references users (id),
  at timestamptz not null,
  method text not null check (method in ('cash', 'bkash', 'bank', 'nagad', 'rocket', 'card')),
  amount_poisha ordered_amount not null,
  change_poisha amount default 0 not null,
  reference text,
  -- What the customer owed after the payment, for its receipt.
  balance_poisha amount not null,
  constraint change_from_cash check (change_poisha = 0 or method = 'cash')
);
create index account_payments_customer on account_payments (customer_id, at);
create index account_payments_shift on account_payments (shift_id) where shift_id is not null;

-- The ledger entries of an account payment, one for each order that it pays.
alter table ledger_entries add column account_payment_id bigint references account_payments (id);
create index ledger_entries_account_payment on ledger_entries (account_payment_id) where account_payment_id is not null;

-- What a customer owes on account: the amounts due of the account sales. The one definition.
create function account_balance(customer bigint) returns bigint language sql stable as $$
  select coalesce(sum(greatest(amount_due(o), 0)), 0)::bigint from orders o join account_sales a on a.order_id = o.id where o.customer_id = customer
$$;
