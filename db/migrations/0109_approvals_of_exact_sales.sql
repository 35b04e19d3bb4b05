-- An approval covers a sale exactly: each line with quantity, price (poisha) and hold, and the discount of the whole sale.
-- Approvals without quantities cover nothing any more. Their prices and held products stay readable as lines.
alter table till_approvals add column lines jsonb not null default '[]'
  constraint till_approvals_lines_check check (jsonb_typeof(lines) = 'array');
update till_approvals set lines = prices || (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'isHeld', true)), '[]') from unnest(held) id);
alter table till_approvals drop column prices, drop column held, alter column lines drop default;
