-- After its own short lock: reading all refunds blocks none that are written meanwhile.
alter table gateway_refunds validate constraint failed_entry_is_reversed, validate constraint reversal_has_entry;
