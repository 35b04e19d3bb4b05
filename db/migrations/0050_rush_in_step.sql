-- The orders of a rush, written one list after another. Says so as soon as a list's work is done and only the disk is still to be waited
-- for: a notice travels at once, the answer only after the commit. The caller then begins with the next list. `list` names it in the notice.
create function place_list(wanted jsonb, list text) returns jsonb
language plpgsql as $$
declare
  answers jsonb := place_orders(wanted, false);
begin
  raise notice using message = 'list of orders written', detail = list;
  return answers;
end $$;
