-- Names of indexes in the words of the code. Statements name no index: an earlier release works on.
alter index orders_slip rename to orders_receipt;
alter index product_media_film rename to product_media_video;
alter index products_office_category rename to products_admin_category;
alter index products_office_hidden rename to products_admin_hidden;
alter index products_office_kind rename to products_admin_kind;
alter index products_office_low rename to products_admin_low;
alter index products_office_name_bn rename to products_admin_name_bn;
alter index products_office_name_en rename to products_admin_name_en;
alter index products_office_price rename to products_admin_price;
alter index products_office_status rename to products_admin_status;
