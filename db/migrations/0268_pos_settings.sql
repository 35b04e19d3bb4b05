-- The settings of the POS are named by its one word. The rows of the former names stay for processes of the release before, which may still
-- run; this release ignores them.
insert into settings (key, value)
select case key when 'till_discount' then 'pos_discount' else 'pos_return' end, value from settings where key in ('till_discount', 'till_return')
on conflict (key) do nothing;
