import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import type { OrderStatus } from '../rules.ts'
import type { AdvanceMethod } from '../types.ts'

/** A reported advance that waits for somebody to find it on the statement; money in taka. */
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
  /** What the order asks in advance, what is paid, what it costs. */
  advance: number
  paid: number
  total: number
  tags: string[]
  goods: string
  at: string
  /** When the order ends unless the money is found. */
  expires_at: string | null
}

export const MOST_WAITING = 100

/** Advances to verify, those that have waited longest first. */
export async function listWaitingAdvances(db: Db, lang: Lang): Promise<WaitingAdvance[]> {
  const name = lang === 'bn' ? sql`name_bn` : sql`name_en`
  const { rows } = await sql<WaitingAdvance>`
    select c.id, c.order_id, o.status, o.name, o.phone, c.method, c.transaction_id, c.sender, c.amount_poisha::float8 / 100 as amount,
      l.advance, amount_received(o)::float8 / 100 as paid, o.total_poisha::float8 / 100 as total, l.tags, l.goods, c.created_at as at, o.expires_at
    from (select * from advance_claims where state = 'waiting' order by created_at, id limit ${MOST_WAITING}) c
    join orders o on o.id = c.order_id
    join lateral (select coalesce(sum(advance_poisha), 0)::float8 / 100 as advance, coalesce(array_agg(tag_number order by position)
        filter (where tag_number is not null), '{}') as tags, string_agg(${name}, ', ' order by position) as goods
      from order_lines where order_id = o.id) l on true
    order by c.created_at, c.id`.execute(db)
  return rows
}
