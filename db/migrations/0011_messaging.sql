-- Sending what waits in the outbox.
alter table sms_outbox
  -- Later it is worth nothing: a code after five minutes, word of an order after a day.
  add expires_at timestamptz not null default now() + interval '1 day',
  -- Who of the staff wrote it, or sent it again.
  add sent_by bigint references users;
-- Until now nothing was sent. What is older than a day is not sent belatedly.
update sms_outbox set expires_at = created_at + interval '1 day';
update sms_outbox set state = 'failed', failure = 'expired' where state = 'queued' and expires_at <= now();

drop index sms_outbox_queue;
create index sms_outbox_queue on sms_outbox ((purpose <> 'code'), not_before, id) where state = 'queued';
create index sms_outbox_expiry on sms_outbox (expires_at) where state = 'queued';
create index sms_outbox_sending on sms_outbox (updated_at) where state = 'sending';
create index sms_outbox_state on sms_outbox (state, id desc);
create index sms_outbox_phone on sms_outbox (phone, id desc);
create index sms_outbox_order on sms_outbox (order_id, id desc) where order_id is not null;

-- What all processes know of the SMS provider: one row.
create table sms_provider (
  id integer primary key default 1 check (id = 1),
  -- Nothing is sent before.
  paused_until timestamptz,
  problem text,
  problem_since timestamptz,
  balance_poisha bigint,
  balance_at timestamptz
);
insert into sms_provider default values;
