// Migrations that some databases applied under another number or with another text. The result in the database is the same.

/** Former name → present name. The text did not change. */
export const RENUMBERED: Readonly<Record<string, string>> = {
  '0094_few_unpaid_animals_at_once': '0104_few_unpaid_animals_at_once',
  '0095_sms_budget': '0105_sms_budget',
  '0097_amount_due': '0106_amount_due',
  '0098_advance_reports_once_verified': '0107_advance_reports_once_verified',
  '0099_gateway_refunds': '0108_gateway_refunds',
  '0100_approvals_of_exact_sales': '0109_approvals_of_exact_sales',
  '0101_returns_with_approval': '0110_returns_with_approval',
  '0104_delivery_dates': '0111_delivery_dates',
  '0109_add_up_sales_again': '0112_add_up_sales_again',
  '0110_returned_animals': '0113_returned_animals',
  '0111_session_lock': '0114_session_lock',
}

/** Name → checksum of a second text that counts as the present one. 0115 adds what the first text of 0102 lacked; it may run after both. */
export const EQUIVALENT_CHECKSUMS: Readonly<Record<string, string>> = {
  '0102_category_keys': '9502d2d7971bf6683c18a554427f70076d519c17f1c1fbd2054df3ba3a81fe1b',
}
