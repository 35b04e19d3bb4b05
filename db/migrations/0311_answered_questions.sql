-- The last question about an ended or paid page was over when it was asked: a gateway that did not answer it was not asked again, and a payment
-- there stayed unknown. Of a page that was paid more than an hour after it was opened no question was left.
alter table payment_attempts add column answered_at timestamptz;
