-- The drafts of the policy pages say live weight and login as every other page does. Pages that an owner has published stay as they are.
update policy_pages set
  body_en = replace(body_en, 'If you sign in:', 'If you log in:'),
  body_bn = replace(replace(body_bn, 'লাইভ ওয়েট', 'লাইভ ওজন'), 'সাইন ইন', 'লগ ইন')
where is_draft;
