-- A draft of the terms promised 24 hours to a phone that was confirmed by code, also in a shop that sends no SMS. What the owner has saved as the
-- shop's own text is left.
update policy_pages set
  body_en = replace(body_en, 'or 24 hours once you have confirmed your phone by code, ends the booking', 'or 24 hours where your phone is confirmed, ends the booking'),
  body_bn = replace(body_bn, 'বা কোড দিয়ে ফোন নম্বর নিশ্চিত করলে ২৪ ঘণ্টার মধ্যে', 'বা ফোন নম্বর নিশ্চিত করা থাকলে ২৪ ঘণ্টার মধ্যে')
where is_draft and slug = 'terms-condition';

update policy_pages set
  body_en = replace(body_en, 'the operator who sends our SMS.', 'the operator who sends SMS for us, if we send any.'),
  body_bn = replace(body_bn, 'আমাদের এসএমএস পাঠানোর অপারেটর।', 'এসএমএস পাঠালে তা পাঠানোর অপারেটর।')
where is_draft and slug = 'privacy-policy';
