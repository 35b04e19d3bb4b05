-- Comments of staff on an order are events of the kind comment. Erasing a person removes their text.
-- Not valid: existing rows, which have no comments, need no check that would lock the table.
alter table order_events add constraint order_events_comment check (
  kind <> 'comment' or (actor = 'staff' and actor_id is not null and coalesce(length(detail ->> 'text'), 1) between 1 and 1000)
) not valid;
