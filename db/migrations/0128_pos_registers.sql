-- The register at which a shift sells, as the cashier names it when opening: printed on receipts and reports. Empty: not named.
alter table pos_shifts add column register text not null default '' constraint register_fits check (length(register) <= 40);
