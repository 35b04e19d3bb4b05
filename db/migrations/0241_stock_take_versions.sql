-- The highest version of the lines that were removed from a sheet. A line that is counted again begins above it, so that a version names one
-- count only.
alter table stock_takes add column removed_version integer not null default 0;
