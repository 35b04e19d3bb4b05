-- Animals that were booked by their weight, among millions of other lines: what is still to be weighed.
create index order_lines_booked on order_lines (order_id) where booked_rate_poisha is not null;
