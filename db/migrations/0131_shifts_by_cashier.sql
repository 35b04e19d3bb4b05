-- The list of a cashier's own sales finds the shifts that are open or were closed today.
create index pos_shifts_cashier on pos_shifts (cashier_id, closed_at);
