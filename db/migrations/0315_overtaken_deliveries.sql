-- An SMS that announces or moves a delivery was sent although the order was delivered, or had another day, by then; one about a new day also
-- after the order had ended.
create or replace function claim_next_sms(daily_limit integer, campaign_limit integer)
returns table(id bigint, phone text, body text, purpose text, attempts smallint, parts smallint, skipped boolean)
language plpgsql
as $$
#variable_conflict use_column
declare
  today date := (now() at time zone 'Asia/Dhaka')::date;
  sent_today integer := coalesce((select d.sent from sms_days d where d.day = today), 0);
  next sms_outbox;
  is_automatic boolean;
  skip_reason text;
begin
  -- The sum keeps the plan on the queue's own order: by the index of expiry it would sort a long queue at each call.
  select s.* into next from sms_outbox s
  where s.state = 'queued' and s.not_before <= now() and s.expires_at + interval '0' > now()
    and not exists (select 1 from sms_provider p where p.paused_until > now())
    and (s.purpose <> 'order' or s.sent_by is not null or sent_today < daily_limit)
    and (s.purpose <> 'campaign' or (sent_today + s.parts <= campaign_limit
      and not exists (select 1 from campaigns c where c.id = s.campaign_id and c.state = 'paused')))
  order by (s.purpose <> 'code'), s.not_before, s.id limit 1 for update skip locked;
  if not found then
    return;
  end if;
  is_automatic := next.purpose = 'order' and next.sent_by is null;
  if is_automatic and exists (select 1 from orders o where o.id = next.order_id and o.source in ('web', 'legacy') and not o.phone_verified
    and amount_received(o) <= 0 and o.status in ('placed', 'cancelled')) then
    -- One after another for a number, so that each sees the last one sent.
    perform pg_advisory_xact_lock(hashtextextended('sms ' || next.phone, 0));
    if exists (select 1 from sms_outbox s where s.phone = next.phone and s.id <> next.id and s.purpose = 'order'
      and s.state in ('sending', 'submitted', 'unknown') and s.updated_at > now() - interval '1 hour'
      and regexp_replace(s.template, '-[0-9].*', '') = regexp_replace(next.template, '-[0-9].*', '')) then
      skip_reason := 'repeat';
      insert into order_events (order_id, actor, kind, detail) values (next.order_id, 'system', 'sms-skipped', jsonb_build_object('text', next.body));
    end if;
  end if;
  if next.purpose = 'order' and next.template ~ '^(advance-reminder$|advance-missing-)' then
    skip_reason := coalesce(skip_reason, (select 'overtaken' from orders o
      where o.id = next.order_id and (o.status in ('cancelled', 'returned')
        -- It names a time at which the order would be cancelled.
        or (next.template = 'advance-reminder' and o.expires_at is null)
        or (next.template like 'advance-%' and (has_unchecked_payment(o)
          or case when next.template = 'advance-reminder' then still_payable(o)
            when required_advance(o) > 0 then missing_advance(o)
            else amount_due(o) end <= 0)))));
  end if;
  if next.purpose = 'order' and next.template ~ '^delivery-(moved-[0-9]+-)?[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
    skip_reason := coalesce(skip_reason, (select 'overtaken' from orders o
      where o.id = next.order_id and (o.status not in ('placed', 'processing', 'on_delivery')
        or right(next.template, 10)::date not in (o.deliver_on, coalesce(first_delivery_on(o), o.deliver_on)))));
  end if;
  if next.purpose = 'order' and next.template ~ '^order-(placed|expired(-[0-9]+)?|cancelled-[0-9]+)$' then
    -- The order ended before its confirmation was sent, or was reopened before the SMS about its end.
    skip_reason := coalesce(skip_reason, (select 'overtaken' from orders o
      where o.id = next.order_id and (o.status in ('cancelled', 'returned')) = (next.template = 'order-placed')));
  end if;
  if next.purpose = 'campaign' then
    skip_reason := case when exists (select 1 from sms_opt_outs o where o.phone = next.phone) then 'opted-out'
      when exists (select 1 from campaigns c where c.id = next.campaign_id and c.state = 'stopped') then 'stopped'
      when not exists (select 1 from campaign_people p join users u on u.id = p.customer_id and u.phone = p.phone and u.disabled_at is null
        where p.campaign_id = next.campaign_id and p.phone = next.phone) then 'closed' end;
  end if;
  if skip_reason is not null then
    update sms_outbox s set state = 'skipped', failure = skip_reason, updated_at = now() where s.id = next.id;
    return query select next.id, next.phone, next.body, next.purpose, next.attempts, next.parts, true;
    return;
  end if;
  if next.purpose <> 'code' then
    insert into sms_days as d (day, sent) values (today, next.parts)
    on conflict (day) do update set sent = d.sent + next.parts where (not is_automatic or d.sent < daily_limit)
      and (next.purpose <> 'campaign' or d.sent + next.parts <= campaign_limit);
    if not found then
      return;
    end if;
  end if;
  return query update sms_outbox s set state = 'sending', attempts = s.attempts + 1, updated_at = now() where s.id = next.id
    returning s.id, s.phone, s.body, s.purpose, s.attempts, s.parts, false;
end $$;
