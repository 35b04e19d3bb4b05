-- Store credit (decision 29): money of returns that the shop owes to a customer, who spends it at the POS. The balance of a customer is the sum
-- of the entries; there is no balance column on the customer. A refund of a return is positive, a payment of a sale negative.
create table store_credit_entries (
  id bigint generated always as identity primary key,
  customer_id bigint not null references users (id),
  amount_poisha bigint not null,
  -- The sale that it paid.
  order_id bigint references orders (id),
  -- The return that it refunded.
  return_id bigint references pos_returns (id),
  actor_id bigint not null references users (id),
  at timestamptz not null,
  -- The balance after the entry, set by the trigger: for receipts, and so that it is never below zero.
  balance_poisha bigint not null,
  constraint store_credit_amount_fits check (amount_poisha between -100000000000000 and 100000000000000),
  constraint store_credit_of_a_sale_or_a_return check (
    (order_id is not null and return_id is null and amount_poisha < 0) or (order_id is null and return_id is not null and amount_poisha > 0)),
  constraint store_credit_not_below_zero check (balance_poisha >= 0)
);
create index store_credit_entries_customer on store_credit_entries (customer_id, id);
create unique index store_credit_entries_order on store_credit_entries (order_id) where order_id is not null;
create unique index store_credit_entries_return on store_credit_entries (return_id) where return_id is not null;

-- What the shop owes to a customer as store credit. The one definition.
create function store_credit_balance(customer bigint) returns bigint language sql stable as $$
  select coalesce(sum(amount_poisha), 0)::bigint from store_credit_entries where customer_id = customer
$$;

-- Locks the customer, so that entries of two registers follow each other. A merged customer's entry belongs to the one it was merged into.
create function add_store_credit_entry() returns trigger language plpgsql as $$
declare kept bigint;
begin
  select merged_into into kept from users where id = new.customer_id for no key update;
  if kept is not null then
    new.customer_id := kept;
    perform from users where id = kept for no key update;
  end if;
  -- Volatile, so the statement sees what was committed while the lock was waited for.
  new.balance_poisha := new.amount_poisha + (select coalesce(sum(amount_poisha), 0) from store_credit_entries where customer_id = new.customer_id);
  return new;
end $$;
create trigger add_store_credit_entry before insert on store_credit_entries for each row execute function add_store_credit_entry();

-- The refund and the payment of a shift by store credit: not money, and no closing count.
alter table ledger_entries add constraint store_credit_at_the_pos check (
  method <> 'store_credit' or (kind = case when amount_poisha > 0 then 'counter' else 'refund' end and shift_id is not null));
