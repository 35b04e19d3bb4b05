-- concurrently
-- An animal whose number alone is typed at the scale, or whose tag is typed without its hyphen, was looked for in the tags of all animals.
create index if not exists products_tag_number on products (ltrim(replace(upper(tag_number), '-', ''), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')) where is_unique;
