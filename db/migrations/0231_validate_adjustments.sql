-- Validates the constraints of 0229. This lock lets the shop read and write.
alter table ledger_entries validate constraint ledger_entries_kind_check;
alter table ledger_entries validate constraint adjustment_is_no_payment;
alter table orders validate constraint fee_not_below_zero;
