-- SMS cost money and reach people: a day has a budget, and an order that a stranger placed does not send a second SMS of a kind to its number.

alter table sms_outbox drop constraint sms_outbox_state_check;
alter table sms_outbox add constraint sms_outbox_state_check check (state in ('queued', 'sending', 'submitted', 'failed', 'unknown', 'skipped'));

-- SMS that were handed over, codes apart, by the day in Dhaka.
create table sms_days (
  day date primary key,
  sent integer not null check (sent >= 0),
  -- When the log was told that the budget is used up.
  alarmed_at timestamptz
);

-- Takes the next SMS for sending, codes first. No two callers get the same. No row: there is none, or nothing may be sent now.
-- `skipped`: it is not sent, because its number got one of the same kind within the hour and is not proven. Such numbers are those of orders that
-- shoppers placed without a code, while the staff have not taken the order on and nothing is paid. SMS that a clerk sends are never skipped.
-- SMS about orders stay queued when `daily_limit` is used up; those of a clerk go out and count, codes have a budget of their own.
create function claim_sms(daily_limit integer)
returns table (id bigint, phone text, body text, purpose text, attempts smallint, skipped boolean) language plpgsql as $$
#variable_conflict use_column
declare
  today date := (now() at time zone 'Asia/Dhaka')::date;
  has_budget boolean := coalesce((select d.sent < daily_limit from sms_days d where d.day = today), true);
  next sms_outbox;
  is_automatic boolean;
begin
  -- The sum keeps the plan on the queue's own order: by the index of expiry it would sort a long queue at each call.
  select s.* into next from sms_outbox s
  where s.state = 'queued' and s.not_before <= now() and s.expires_at + interval '0' > now()
    and not exists (select 1 from sms_provider p where p.paused_until > now())
    and (s.purpose <> 'order' or s.sent_by is not null or has_budget)
  order by (s.purpose <> 'code'), s.not_before, s.id limit 1 for update skip locked;
  if not found then
    return;
  end if;
  is_automatic := next.purpose = 'order' and next.sent_by is null;
  if is_automatic and exists (select 1 from orders o where o.id = next.order_id and o.source in ('web', 'legacy') and not o.phone_proven
    and o.paid_poisha <= 0 and o.status in ('placed', 'cancelled')) then
    -- One after another for a number, so that each sees the last one sent.
    perform pg_advisory_xact_lock(hashtextextended('sms ' || next.phone, 0));
    if exists (select 1 from sms_outbox s where s.phone = next.phone and s.id <> next.id and s.purpose = 'order'
      and s.state in ('sending', 'submitted', 'unknown') and s.updated_at > now() - interval '1 hour'
      and regexp_replace(s.template, '-[0-9].*', '') = regexp_replace(next.template, '-[0-9].*', '')) then
      update sms_outbox s set state = 'skipped', failure = 'repeat', updated_at = now() where s.id = next.id;
      insert into order_events (order_id, actor, kind, detail) values (next.order_id, 'system', 'sms-skipped', jsonb_build_object('text', next.body));
      return query select next.id, next.phone, next.body, next.purpose, next.attempts, true;
      return;
    end if;
  end if;
  if next.purpose <> 'code' then
    insert into sms_days as d (day, sent) values (today, 1)
    on conflict (day) do update set sent = d.sent + 1 where not is_automatic or d.sent < daily_limit;
    if not found then
      return;
    end if;
  end if;
  return query update sms_outbox s set state = 'sending', attempts = s.attempts + 1, updated_at = now() where s.id = next.id
    returning s.id, s.phone, s.body, s.purpose, s.attempts, false;
end $$;
