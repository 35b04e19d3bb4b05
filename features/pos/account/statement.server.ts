import { sql } from 'kysely'
import { IS_ADJUSTMENT, IS_MONEY } from '#features/ledger/ledger.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { makeStatement, type Statement, type StatementRow } from './account-rules.ts'

/**
 * The statement of a customer's account between two days. Rows: the part of each sale left on account, later payments and refunds, returns,
 * fees and write-offs, and what changes in the admin added or took off. Their sum is the amount due of the account sales.
 */
export async function readStatement(db: Db, customerId: number, days: { from: string; to: string }): Promise<Statement> {
  const { rows } = await sql<StatementRow>`
    with sales as materialized (
      select o.id, o.placed_at, o.updated_at, a.amount_poisha::bigint as amount, amount_due(o) as due
      from orders o join account_sales a on a.order_id = o.id where o.customer_id = ${customerId}),
    moves as (
      select id as order_id, placed_at as at, 'sale' as kind, amount, null::text as method, null::text as reference, 1 as position from sales
      union all
      select e.order_id, e.at, case when e.kind = 'refund' then 'refund' else 'payment' end, -e.amount_poisha,
        case when e.kind = 'rounding' then null else e.method end, e.reference, 2
      from sales s join ledger_entries e on e.order_id = s.id where not e.paid_with_order and ${IS_MONEY}
      union all
      select e.order_id, e.at, e.kind, -e.amount_poisha, null, null, 2 from sales s join ledger_entries e on e.order_id = s.id where ${IS_ADJUSTMENT}
      union all
      select r.order_id, r.at, 'return', -r.worth_poisha, null, null, 2 from sales s join pos_returns r on r.order_id = s.id),
    changed as (
      select s.id as order_id, s.updated_at as at, 'changed' as kind, s.due - sum(m.amount) as amount, null::text as method, null::text as reference, 3 as position
      from sales s join moves m on m.order_id = s.id group by s.id, s.updated_at, s.due)
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, kind, order_id as "orderId", method, reference, amount::float8 as amount
    from (select * from moves union all select order_id, at, kind, amount, method, reference, position from changed where amount <> 0) m
    order by m.at, m.order_id, m.position`.execute(db)
  return makeStatement(rows, days, dhakaInstant(days.from), dhakaInstant(addDays(days.to, 1)))
}
