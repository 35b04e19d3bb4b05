-- The newest stock movement of the product when it was first counted on the sheet. Closing applies no difference that another count has set
-- right since. Null in lines of the previous version, which does not compare.
alter table stock_take_lines add column last_movement_id bigint;
