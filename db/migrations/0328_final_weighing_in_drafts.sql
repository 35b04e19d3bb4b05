-- In the Bengali drafts the final weighing, until which half an advance is refunded, had the words of the latest weighing. Both languages
-- promised one delivery charge, also with two deliveries. Pages that an owner has published stay as they are.
update policy_pages set
  body_en = replace(body_en, 'Several things in one order: only the highest charge counts, once.', 'Several things in one order: only the highest charge counts, once; twice if you choose two deliveries.'),
  body_bn = replace(replace(body_bn, 'শেষ ওজনে', 'চূড়ান্ত ওজনে'), 'শুধু সবচেয়ে বেশি চার্জটি, একবারই।', 'শুধু সবচেয়ে বেশি চার্জটি, একবারই; দুইবারে ডেলিভারি নিলে দুবার।')
where is_draft;
