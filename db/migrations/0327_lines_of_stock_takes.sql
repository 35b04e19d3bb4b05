-- The lines of an ended stock take and those with a difference. The list counted them again for each sheet. Null while it is open.
alter table stock_takes add column lines integer, add column differences integer;
