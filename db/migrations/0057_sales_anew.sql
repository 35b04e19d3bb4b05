-- Sales count what was given back and what an animal weighed in the end: days that were added up before are added up once more, by the job.
update sales_progress set next_event = 0;
