-- Migration 0102 continues behind the highest id of a category that still exists. Old links and the log may name deleted ones:
-- the next id comes after every id that the log knows.
do $$
declare
  sequence text := pg_get_serial_sequence('categories', 'id');
begin
  perform setval(sequence, greatest(
    (select max(id) from categories),
    pg_sequence_last_value(sequence::regclass),
    (select max(subject_id::bigint) from audit_log where subject = 'category' and subject_id ~ '^[1-9][0-9]{0,8}$')));
end $$;
