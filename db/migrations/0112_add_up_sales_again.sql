-- Sales by category now include the price change of final weighings. The next refresh adds up all days again.
update sales_progress set next_event = 0;
