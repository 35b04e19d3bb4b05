-- A refused report no longer blocks its transaction id. Several orders may report one id while none is verified; one of them is verified.
alter table advance_claims drop constraint advance_claims_method_transaction_id_key;
-- True when another order had reported the id and was waiting.
alter table advance_claims add column is_duplicate boolean not null default false;
create unique index advance_claims_verified on advance_claims (method, transaction_id) where state = 'verified';
create unique index advance_claims_open on advance_claims (order_id, method, transaction_id) where state <> 'refused';
create index advance_claims_transaction on advance_claims (method, transaction_id, id);
