-- Refunds through a payment gateway, and payments that the staff refuse in review.
alter table payment_attempts drop constraint payment_attempts_state_check;
alter table payment_attempts add constraint payment_attempts_state_check
  check (state in ('initiated', 'pending', 'paid', 'failed', 'expired', 'review', 'refused'));
create index payment_attempts_review on payment_attempts (updated_at) where state = 'review';
create index gateway_events_attempt on gateway_events (attempt_id);

create table gateway_refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  attempt_id bigint not null references payment_attempts,
  gateway text not null check (gateway in ('sslcommerz', 'bkash')),
  -- The gateway's id of the refunded payment.
  gateway_txn text not null,
  -- Our id of the refund, sent with the request.
  refund_id text not null unique check (length(refund_id) <= 30),
  amount_poisha bigint not null check (amount_poisha > 0),
  reason text not null check (btrim(reason) <> '' and length(reason) <= 255),
  -- requested: not sent yet. unknown: sent, the outcome is not known. processing: accepted by the gateway.
  state text not null default 'requested' check (state in ('requested', 'unknown', 'processing', 'done', 'failed')),
  -- The gateway's id of the refund.
  gateway_ref text,
  failure text,
  -- False for a payment refused in review: its money is not in the ledger.
  in_ledger boolean not null,
  -- The ledger entry of an accepted refund, and the one that takes it back if the gateway fails it later.
  ledger_entry_id bigint references ledger_entries,
  reversal_entry_id bigint references ledger_entries,
  created_by bigint not null references users,
  created_at timestamptz not null,
  sent_at timestamptz,
  updated_at timestamptz not null,
  constraint accepted_is_in_ledger check (state not in ('processing', 'done') or (ledger_entry_id is not null) = in_ledger),
  constraint open_is_not_in_ledger check (state not in ('requested', 'unknown') or ledger_entry_id is null),
  constraint failed_is_reversed check ((reversal_entry_id is not null) = (state = 'failed' and ledger_entry_id is not null))
);
create index gateway_refunds_order on gateway_refunds (order_id, id);
create index gateway_refunds_transaction on gateway_refunds (gateway, gateway_txn);
create index gateway_refunds_open on gateway_refunds (updated_at) where state in ('requested', 'unknown', 'processing');
-- While the outcome of a refund is not known, its payment gets no other refund.
create unique index gateway_refunds_unsettled on gateway_refunds (gateway, gateway_txn) where state in ('requested', 'unknown');
