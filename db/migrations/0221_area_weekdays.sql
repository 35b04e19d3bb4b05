-- The weekdays without delivery to an area, 0 for Sunday; none by default. One weekday at least stays open.
alter table areas add column closed_weekdays smallint[] not null default '{}';
alter table areas add constraint areas_closed_weekdays_are_days check (
  closed_weekdays <@ '{0,1,2,3,4,5,6}'::smallint[] and cardinality(closed_weekdays) <= 6 and array_position(closed_weekdays, null) is null
);
