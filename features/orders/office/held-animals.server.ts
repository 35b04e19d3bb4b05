import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'

/** What an unpaid order waits for: the payment page, an advance to be reported, its verification, a look at a risky payment, or the shop's call. */
export type HeldFor = 'payment' | 'advance' | 'verification' | 'review' | 'call'

/** An order that holds animals while nothing is paid. */
export interface HeldOrder {
  id: number
  version: number
  name: string
  phone: string
  phone_proven: boolean
  tags: string[]
  since: string
  /** When the animals are free again by themselves; null when they are not. */
  until: string | null
  waits_for: HeldFor
}

const MAX_HELD = 200

/** Orders that hold animals unpaid, the oldest first. */
export async function listHeldOrders(db: Db): Promise<HeldOrder[]> {
  const { rows } = await sql<HeldOrder>`
    select o.id, o.version, o.name, o.phone, o.phone_proven, c.tags, o.placed_at as since, o.expires_at as until,
      case
        when a.state = 'review' then 'review'
        when exists (select 1 from advance_claims r where r.order_id = o.id and r.state = 'waiting') then 'verification'
        when o.payment_gateway <> 'NONE' then 'payment'
        when o.payment_type = 'partial' then 'advance'
        else 'call'
      end as waits_for
    from (
      select l.order_id, array_agg(coalesce(p.tag_number, p.name_en) order by p.id) as tags
      from animal_claims l join products p on p.id = l.product_id where p.status = 'hold' group by l.order_id) c
    join orders o on o.id = c.order_id
    left join lateral (select state from payment_attempts where order_id = o.id order by id desc limit 1) a on true
    where o.status = 'placed' and o.paid_poisha <= 0
    order by o.placed_at, o.id limit ${MAX_HELD}`.execute(db)
  return rows
}
