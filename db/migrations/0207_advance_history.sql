-- Decided advances stay findable, with the reason of a rejection; payments are read by day.
alter table advance_reports add column reason text not null default '';
alter table advance_reports add constraint advance_reports_reason check (length(reason) <= 1000);
update advance_reports r set reason = left(e.reason, 1000)
from (select distinct on (order_id, at, detail ->> 'method', detail ->> 'transaction_id')
        order_id, at, detail ->> 'method' as method, detail ->> 'transaction_id' as transaction_id, detail ->> 'reason' as reason
      from order_events where kind = 'advance-refused' and detail ->> 'reason' is not null
      order by order_id, at, detail ->> 'method', detail ->> 'transaction_id', id) e
where r.state = 'refused' and e.order_id = r.order_id and e.at = r.decided_at and e.method = r.method and e.transaction_id = r.transaction_id;
create index advance_reports_state on advance_reports (state, id desc);
create index advance_reports_sender on advance_reports (sender);
