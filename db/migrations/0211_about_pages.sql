-- The texts of the pages About and Contact are written like the policies.
-- compatible: the previous version lists the slugs that it knows
alter table policy_pages drop constraint policy_pages_slug_check;
alter table policy_pages add constraint policy_pages_slug_check
  check (slug in ('terms-condition', 'privacy-policy', 'return-refund', 'shipping-info', 'about', 'contact'));
