import { sql } from 'kysely'
import { IS_ADJUSTMENT, IS_MONEY } from '#features/ledger/ledger.server.ts'
import { ENDED_STATUSES } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { makeStatement, type Statement, type StatementRow } from './account-rules.ts'

const ENDED = sql`(${sql.join(ENDED_STATUSES.map((status) => sql.lit(status)))})`

/** When the order of a sale `s` ended last, or was reopened. */
const ENDED_AT = sql`(select max(e.at) from order_events e where e.order_id = s.id and (e.from_status in ${ENDED} or e.to_status in ${ENDED}))`

/**
 * The statement of a customer's account between two days. Rows: the part of each sale left on account, later payments and refunds, returns,
 * fees and write-offs, and what changes in the admin added or took off. Their sum is the amount due of the account sales. Each row has the time
 * of its event, so that the statement of a past month stays what it was.
 */
export async function readStatement(db: Db, customerId: number, days: { from: string; to: string }): Promise<Statement> {
  const { rows } = await sql<SnakeCased<StatementRow>>`
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
      select r.order_id, r.at, 'return', -r.worth_poisha, null, null, 2 from sales s join pos_returns r on r.order_id = s.id
      union all
      select e.order_id, e.at, 'changed', -e.amount_poisha, null, null, 3 from sales s join ledger_entries e on e.order_id = s.id where e.kind = 'settlement'
      union all
      select e.order_id, e.at, 'changed', round(((e.detail #>> '{total,to}')::numeric - (e.detail #>> '{total,from}')::numeric) * 100)::bigint, null, null, 3
      from sales s join order_events e on e.order_id = s.id where e.kind = 'edited' and e.detail ? 'total'),
    -- The rest is the end of an order, or its reopening.
    changed as (
      select s.id as order_id, coalesce(${ENDED_AT}, s.updated_at) as at, 'changed' as kind, s.due - sum(m.amount) as amount, null::text as method,
        null::text as reference, 3 as position
      from sales s join moves m on m.order_id = s.id group by s.id, s.updated_at, s.due)
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, kind, order_id as order_id, method, reference, amount::float8 as amount
    from (select * from moves union all select * from changed) m where m.amount <> 0
    order by m.at, m.order_id, m.position`.execute(db)
  return makeStatement(rows.map(toCamel<StatementRow>), days, dhakaInstant(days.from), dhakaInstant(addDays(days.to, 1)))
}
