-- concurrently
-- The totals of the reports are computed from the newest events every half minute, which read the whole table. Events are only added, so a
-- few ranges of pages hold the newest ids, and an index of ranges costs their writers next to nothing.
create index if not exists order_events_newest on order_events using brin (id) with (pages_per_range = 32, autosummarize = on);
