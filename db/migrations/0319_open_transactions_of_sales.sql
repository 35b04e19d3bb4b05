-- The daily sales read past an event only when every transaction that was open when it was seen has ended.
alter table sales_progress add column seen_event bigint, add column seen_xid bigint,
  add constraint sales_progress_seen check ((seen_event is null) = (seen_xid is null));
