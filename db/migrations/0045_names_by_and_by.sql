-- The sounds of names stand in a list first and are sorted into the index by the handful: an order then writes one page for them
-- instead of one a word, and a search reads a short list besides.
alter index orders_name set (fastupdate = on, gin_pending_list_limit = 512);
alter index users_name set (fastupdate = on, gin_pending_list_limit = 512);
