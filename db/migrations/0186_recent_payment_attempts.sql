-- The metrics count the online payments of the last hour by state.
create index payment_attempts_created on payment_attempts (created_at) include (state);
