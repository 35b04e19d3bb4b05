-- The rows of the search box are made by the shop, which keeps those that are asked for often (docs/decisions/0049).
drop function search_rows(bigint[], text, text, int);
