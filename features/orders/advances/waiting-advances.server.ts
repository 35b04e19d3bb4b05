import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { OrderStatus } from '../rules.ts'
import type { AdvanceMethod } from '../types.ts'
import type { AdvanceState } from './advance-history-rules.ts'

/** A reported advance that waits for verification; money in taka. */
export interface WaitingAdvance {
  id: number
  order_id: number
  status: OrderStatus
  name: string
  phone: string
  method: AdvanceMethod
  transaction_id: string
  sender: string
  amount: number
  /** The required advance of the order, the money received, and the total. */
  advance: number
  paid: number
  total: number
  tags: string[]
  goods: string
  at: string
  /** Reports of the same transaction id for other orders, newest first. */
  others: OtherReport[]
  /** The order whose ledger has the transaction id, or null. */
  used_by: number | null
  /** The payment deadline of the order. */
  expires_at: string | null
}

/** A report of a transaction id for another order. */
export interface OtherReport {
  order_id: number
  name: string
  state: AdvanceState
  at: string
}

const MAX_WAITING = 100
const MAX_OTHERS = 10

/** Columns for reports `c`: reports of the same transaction id for other orders, and the order whose ledger has the id. */
export const otherReports = sql`coalesce((select json_agg(r) from (
    select b.order_id, bo.name, b.state, b.created_at as at from advance_reports b join orders bo on bo.id = b.order_id
    where b.method = c.method and b.transaction_id = c.transaction_id and b.order_id <> c.order_id order by b.id desc limit ${MAX_OTHERS}) r), '[]')`
export const usedBy = sql`(select e.order_id from ledger_entries e where e.method = c.method and e.reference = c.transaction_id)`

/** Advances to verify, the oldest first. Reports of one transaction id are adjacent. */
export async function listWaitingAdvances(db: Db, lang: Lang): Promise<WaitingAdvance[]> {
  const name = columnIn(lang, 'name')
  const { rows } = await sql<WithDates<WaitingAdvance, 'at' | 'expires_at'>>`
    select c.id, c.order_id, o.status, o.name, o.phone, c.method, c.transaction_id, c.sender, c.amount_poisha::float8 / 100 as amount,
      ${otherReports} as others, ${usedBy} as used_by, required_advance(o)::float8 / 100 as advance, amount_received(o)::float8 / 100 as paid, o.total_poisha::float8 / 100 as total, l.tags, l.goods, c.created_at as at, o.expires_at
    from (select *, min(created_at) over (partition by method, transaction_id) as first_at from advance_reports where state = 'waiting'
      order by first_at, method, transaction_id, created_at, id limit ${MAX_WAITING}) c
    join orders o on o.id = c.order_id
    join lateral (select coalesce(array_agg(tag_number order by position)
        filter (where tag_number is not null), '{}') as tags, string_agg(${name}, ', ' order by position) as goods
      from order_lines where order_id = o.id) l on true
    order by c.first_at, c.method, c.transaction_id, c.created_at, c.id`.execute(db)
  return rows.map(datesToText)
}
