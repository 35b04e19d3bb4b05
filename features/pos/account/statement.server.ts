import { sql } from 'kysely'
import { IS_ADJUSTMENT, IS_MONEY } from '#features/ledger/ledger.server.ts'
import { ENDED_STATUSES } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { makeStatement, type Statement, type StatementRow } from './account-rules.ts'

const ENDED = sql`(${sql.join(ENDED_STATUSES.map((status) => sql.lit(status)))})`

/** What an edit `e` added to the total of its order. */
export const EDITED = sql`round(((e.detail #>> '{total,to}')::numeric - (e.detail #>> '{total,from}')::numeric) * 100)::bigint`

/**
 * Each end of an order, and each reopening: `price` is what the order costs from then on, `moved` what edits, weighings and returns have added
 * until then. The rows of a statement between two of them already have a part of the step.
 */
const TURNS = sql`
  select s.id as order_id, t.id, t.at, s.amount + (select coalesce(sum(e.amount_poisha), 0) from ledger_entries e
      where e.order_id = s.id and e.paid_with_order and ${IS_MONEY}) as sold_at,
    case when t.to_status in ${ENDED} then 0 else s.total
      - (select coalesce(sum(${EDITED}), 0) from order_events e where e.order_id = s.id and e.kind = 'edited' and e.detail ? 'total' and e.id > t.id)
      - (select coalesce(sum(e.amount_poisha), 0) from ledger_entries e
        where e.order_id = s.id and e.kind in ('settlement', 'return') and e.at <= t.at) end as price,
    (select coalesce(sum(${EDITED}), 0) from order_events e where e.order_id = s.id and e.kind = 'edited' and e.detail ? 'total' and e.id < t.id)
      - (select coalesce(sum(e.amount_poisha), 0) from ledger_entries e where e.order_id = s.id and e.kind = 'settlement' and e.at <= t.at)
      - (select coalesce(sum(r.worth_poisha), 0) from pos_returns r where r.order_id = s.id and r.at <= t.at) as moved
  from sales s join order_events t on t.order_id = s.id and (t.from_status in ${ENDED}) <> (t.to_status in ${ENDED})`

/**
 * The statement of a customer's account between two days. Rows: the part of each sale left on account, later payments and refunds, returns,
 * fees and write-offs, and what changes in the admin added or took off. Their sum is the amount due of the account sales. Each row has the time
 * of its event, so that the statement of a past month stays what it was. Rows of one moment have a fixed order: a return comes before its refunds.
 */
export async function readStatement(db: Db, customerId: number, days: { from: string; to: string }): Promise<Statement> {
  const { rows } = await sql<SnakeCased<StatementRow>>`
    with sales as materialized (
      select o.id, o.placed_at, o.updated_at, o.total_poisha::bigint as total, a.amount_poisha::bigint as amount, amount_due(o) as due
      from orders o join account_sales a on a.order_id = o.id where o.customer_id = ${customerId}),
    moves as (
      select id as order_id, placed_at as at, 'sale' as kind, amount, null::text as method, null::text as reference, 1 as position, id as entry from sales
      union all
      select e.order_id, e.at, case when e.kind = 'refund' then 'refund' else 'payment' end, -e.amount_poisha,
        case when e.kind = 'rounding' then null else e.method end, e.reference, 3, e.id
      from sales s join ledger_entries e on e.order_id = s.id where not e.paid_with_order and ${IS_MONEY}
      union all
      select e.order_id, e.at, e.kind, -e.amount_poisha, null, null, 3, e.id from sales s join ledger_entries e on e.order_id = s.id where ${IS_ADJUSTMENT}
      union all
      select r.order_id, r.at, 'return', -r.worth_poisha, null, null, 2, r.id from sales s join pos_returns r on r.order_id = s.id
      union all
      select e.order_id, e.at, 'changed', -e.amount_poisha, null, null, 4, e.id from sales s join ledger_entries e on e.order_id = s.id where e.kind = 'settlement'
      union all
      select e.order_id, e.at, 'changed', ${EDITED}, null, null, 4, e.id
      from sales s join order_events e on e.order_id = s.id where e.kind = 'edited' and e.detail ? 'total'
      union all
      select order_id, at, 'changed', price - lag(price, 1, sold_at::numeric) over turn - moved + lag(moved, 1, 0::numeric) over turn, null, null, 5, id
      from (${TURNS}) turns window turn as (partition by order_id order by id)),
    -- What no event explains.
    changed as (
      select s.id as order_id, s.updated_at as at, 'changed' as kind, s.due - sum(m.amount) as amount, null::text as method,
        null::text as reference, 6 as position, s.id as entry
      from sales s join moves m on m.order_id = s.id group by s.id, s.updated_at, s.due)
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, kind, order_id as order_id, method, reference, amount::float8 as amount
    from (select * from moves union all select * from changed) m where m.amount <> 0
    order by m.at, m.order_id, m.position, m.entry`.execute(db)
  return makeStatement(rows.map(toCamel<StatementRow>), days, dhakaInstant(days.from), dhakaInstant(addDays(days.to, 1)))
}
