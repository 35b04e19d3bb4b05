// The sums that an upgrade must not change. A migration that renames a table or a column adds a line to RENAMED; one that moves a value
// adds a query to CHANGED. BEFORE stays as it is.

/** Queries for the schema of release 0.1.0. */
const BEFORE = {
  stock: 'select id, status, stock_milli from products order by id',
  'stock movements': 'select product_id, reason, count(*), sum(delta_milli) from stock_movements group by 1, 2 order by 1, 2',
  'held animals': 'select product_id, order_id from animal_claims order by 1, 2',
  'order totals': `select id, source, status, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payable_poisha from orders order by id`,
  'ledger by order': 'select order_id, kind, method, count(*), sum(amount_poisha) from ledger_entries group by 1, 2, 3 order by 1, 2, 3',
  'ledger balance':
    'select id, paid_poisha as balance, refunded_poisha, settled_poisha as settlement, spent_poisha from orders order by id',
  'amount due': 'select id, amount_due(o) as due, amount_received(o) as received from orders o order by id',
  'order lines': 'select order_id, count(*), sum(quantity_milli), sum(line_total_poisha) from order_lines group by 1 order by 1',
  'order history': 'select order_id, kind, to_status, count(*) from order_events group by 1, 2, 3 order by 1, 2, 3',
  customers: `select customer_id, count(*), sum(total_poisha) as ordered, sum(paid_poisha) as balance, sum(spent_poisha) as spent
    from orders group by 1 order by 1`,
  coupons: `select c.id, c.uses, count(u.*) filter (where u.freed_at is null) as counted, sum(u.discount_poisha) as discount
    from coupons c left join coupon_uses u on u.coupon_id = c.id group by c.id order by c.id`,
  payments: 'select gateway, state, count(*), sum(amount_poisha) from payment_attempts group by 1, 2 order by 1, 2',
  'reported advances': 'select order_id, state, count(*), sum(amount_poisha) from advance_claims group by 1, 2 order by 1, 2',
  'final weighings': 'select order_id, old_grams, new_grams, rate_poisha, ledger_entry_id from settlements order by weigh_in_id',
  weighings: 'select product_id, count(*), sum(grams) from weigh_ins group by 1 order by 1',
  'POS shifts': `select id, opening_cash_poisha, expected_cash_poisha, expected_bkash_poisha, expected_bank_poisha, closed_at from till_shifts order by id`,
  'POS sales': 'select order_id, shift_id, tendered_poisha, change_poisha from till_sales order by order_id',
  'POS returns': `select r.id, r.order_id, r.refund_poisha, r.worth_poisha, sum(l.quantity_milli) from till_returns r
    join till_return_lines l on l.return_id = r.id group by r.id order by r.id`,
  SMS: 'select template, state, count(*) from sms_outbox group by 1, 2 order by 1, 2',
  'sales days': 'select * from sales_days order by 1, 2, 3',
}

/** Tables, columns and functions of release 0.1.0 that have another name today. */
export const RENAMED: Record<string, string> = {
  advance_claims: 'advance_reports',
  animal_claims: 'animal_holds',
  films: 'videos',
  paid_poisha: 'ledger_balance_poisha',
  settled_poisha: 'settlement_poisha',
  freed_at: 'released_at',
  sent_once: 'idempotency_keys',
  shelf_epoch: 'catalog_epoch',
  till_approvals: 'pos_approvals',
  till_cash_moves: 'pos_cash_movements',
  till_codes: 'pos_approval_codes',
  till_return_lines: 'pos_return_lines',
  till_returns: 'pos_returns',
  till_sales: 'pos_sales',
  till_shifts: 'pos_shifts',
}

/** Sums that today's schema stores in another way. */
const CHANGED: Partial<typeof BEFORE> = {
  // Returns at the POS were settlements.
  'ledger by order': `select order_id, case kind when 'return' then 'settlement' else kind end, method, count(*), sum(amount_poisha)
    from ledger_entries group by 1, 2, 3 order by 1, 2, 3`,
  // Orders of uncounted products had no movements. Those of the demo are such orders: release 0.1.0 seeded them as bare rows.
  'stock movements': `select product_id, reason, count(*), sum(delta_milli) from stock_movements m
    where not exists (select 1 from orders where id = m.order_id and placed_at = m.at) group by 1, 2 order by 1, 2`,
}

/** Tables of release 0.1.0 whose rows an upgrade may drop. */
export const EMPTIED_TABLES: string[] = []

export type Sums = Record<keyof typeof BEFORE, unknown[]>

type Query = (text: string) => Promise<unknown[]>

export const sumsBefore = (query: Query): Promise<Sums> => sumsOf(BEFORE, query)
export const sumsAfter = (query: Query): Promise<Sums> => sumsOf({ ...renamed(BEFORE), ...CHANGED }, query)

function renamed(queries: typeof BEFORE): typeof BEFORE {
  const rename = (text: string) => text.replaceAll(/\w+/g, (word) => RENAMED[word] ?? word)
  return Object.fromEntries(Object.entries(queries).map(([name, text]) => [name, rename(text)])) as typeof BEFORE
}

async function sumsOf(queries: typeof BEFORE, query: Query): Promise<Sums> {
  const sums: Partial<Sums> = {}
  for (const [name, text] of Object.entries(queries)) sums[name as keyof Sums] = await query(text)
  return sums as Sums
}
