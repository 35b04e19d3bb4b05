-- concurrently
-- Fees and write-offs are few among all entries; reports read them by day.
create index if not exists ledger_entries_adjustments on ledger_entries (at, id) where kind in ('fee', 'write_off');
