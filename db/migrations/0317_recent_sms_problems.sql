-- concurrently
-- The failed and unknown SMS of the last days were counted from all that ever failed, by the dashboard, the log and the health page.
create index if not exists sms_outbox_problems on sms_outbox (state, created_at) where state in ('failed', 'unknown');
