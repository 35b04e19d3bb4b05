-- Campaigns: one SMS to each customer of a filtered list (decision 61). The people are fixed at the start. A worker moves them into
-- `sms_outbox`, a few at a time.

-- Phones that want no campaigns. Messages about own orders are sent all the same.
create table sms_opt_outs (
  phone mobile_phone primary key,
  -- `link`: by the link of an SMS. `staff`: asked for it on the phone.
  source text not null,
  at timestamptz not null default now(),
  constraint sms_opt_outs_source check (source in ('link', 'staff')),
  constraint sms_opt_outs_phone check (phone <> '')
);

-- A new number of the same person, and the customer that a person was merged into, want none either.
create function carry_sms_opt_out() returns trigger language plpgsql as $$
begin
  insert into sms_opt_outs (phone, source, at)
  select u.phone, o.source, o.at from sms_opt_outs o, users u
  where o.phone = old.phone and u.id = coalesce(new.merged_into, new.id) and u.phone <> old.phone
  on conflict (phone) do nothing;
  return null;
end $$;
create trigger users_sms_opt_out after update of phone, merged_into on users for each row
when (old.phone is distinct from new.phone or old.merged_into is distinct from new.merged_into) execute function carry_sms_opt_out();

create table campaigns (
  id bigint generated always as identity primary key,
  name text not null,
  -- One of the two may be empty: its people get the other.
  text_en text not null default '',
  text_bn text not null default '',
  -- The query of the list, without its search.
  filter text not null,
  total integer not null,
  -- The campaign's own budget of SMS parts, and what was moved into the outbox of it.
  parts_limit integer not null,
  parts_used integer not null default 0,
  state text not null default 'running',
  starts_at timestamptz not null default now(),
  started_by bigint not null references users (id),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint campaigns_state check (state in ('running', 'paused', 'done', 'stopped')),
  constraint campaigns_finished check ((state in ('done', 'stopped')) = (finished_at is not null)),
  constraint campaigns_budget check (parts_used >= 0 and parts_used <= parts_limit),
  constraint campaigns_total check (total > 0),
  constraint campaigns_texts check (length(name) between 1 and 255 and length(text_en) <= 1000 and length(text_bn) <= 1000
    and (text_en <> '' or text_bn <> '') and length(filter) <= 2000)
);
create index campaigns_running on campaigns (id) where state = 'running';

create table campaign_people (
  campaign_id bigint not null references campaigns (id) on delete cascade,
  phone mobile_phone not null,
  -- No foreign key: its locks would write every customer of the campaign once more at the start.
  customer_id bigint not null,
  lang text not null,
  state text not null default 'waiting',
  -- Why a person is skipped.
  reason text,
  -- The end of the link that stops campaigns: 48 random bits. Each letter of a link in Bengali costs as much as one of the text.
  stop_token text not null default translate(encode(substring(uuid_send(gen_random_uuid()) from 1 for 6), 'base64'), '+/', 'Aa'),
  primary key (campaign_id, phone),
  constraint campaign_people_lang check (lang in ('en', 'bn')),
  constraint campaign_people_state check (state in ('waiting', 'queued', 'skipped')),
  constraint campaign_people_reason check ((state = 'skipped') = (reason is not null)),
  constraint campaign_people_reasons check (reason in ('opted-out', 'closed', 'budget', 'stopped'))
);
create index campaign_people_state on campaign_people (campaign_id, state, phone);
create index campaign_people_phone on campaign_people (phone);
create index campaign_people_customer on campaign_people (customer_id);
create unique index campaign_people_stop_token on campaign_people (stop_token);

-- The campaign of an SMS, and its number of parts, which campaigns count.
alter table sms_outbox add column campaign_id bigint references campaigns (id);
alter table sms_outbox add column parts smallint not null default 1;
alter table sms_outbox add constraint sms_outbox_parts check (parts between 1 and 6);
alter table sms_outbox add constraint sms_outbox_campaign check ((purpose = 'campaign') = (campaign_id is not null));
-- Each person of a campaign at most once.
create unique index sms_outbox_campaign_phone on sms_outbox (campaign_id, phone) where campaign_id is not null;
create index sms_outbox_campaign_open on sms_outbox (campaign_id) where campaign_id is not null and state in ('queued', 'sending');
