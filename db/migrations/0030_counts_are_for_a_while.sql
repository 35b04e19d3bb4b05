-- Counted tries are worth nothing after a crash: without a log of their own no order waits for the disk because of them.
alter table attempt_counts set unlogged;
