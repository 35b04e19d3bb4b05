-- The phone of a customer whose personal data was erased: 00 and the customer's number. Nobody can have it, so nobody signs up under it and no
-- SMS reaches it; orders and the ledger stay complete (decision 36).
alter domain mobile_phone drop constraint mobile_phone_check;
alter domain mobile_phone add constraint mobile_phone_check check (value = '' or value ~ '^01[3-9][0-9]{8}$' or value ~ '^00[0-9]{9}$');
