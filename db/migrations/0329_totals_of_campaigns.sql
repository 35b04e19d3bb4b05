-- The SMS that were sent of an ended campaign, and the people that were not reached. The list counted them again for each campaign. Null until
-- none of its SMS is on its way.
alter table campaigns add column sent integer, add column not_reached integer;
