-- The supervisor who approved a return beyond the cashier's limit. Without one, the refund counts towards that limit.
alter table till_returns add column approved_by bigint references users;
