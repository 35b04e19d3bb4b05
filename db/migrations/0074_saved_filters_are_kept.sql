-- The shop's processes keep the filters that somebody saved until they hear of a change.
create trigger saved_filters_shown after insert or update or delete on saved_filters for each statement execute function catalogue_changed();
