-- A refund that was reversed and then carried out after all is entered again. Its row names the reversal and the new entry, which cancel each other.
alter table gateway_refunds drop constraint failed_is_reversed,
  add constraint failed_entry_is_reversed check (state <> 'failed' or (reversal_entry_id is null) = (ledger_entry_id is null)) not valid,
  add constraint reversal_has_entry check (reversal_entry_id is null or ledger_entry_id is not null) not valid;
