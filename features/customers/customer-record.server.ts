import { sql } from 'kysely'
import { type DeviceRow, listDevices } from '#features/auth/sessions.server.ts'
import { IS_HANDED_OVER } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { Address } from './address-rules.ts'
import { listAddresses } from './address-queries.server.ts'
import { IS_ERASED, OWNS_ACCOUNT } from './account-state.server.ts'

export interface CustomerNote {
  id: number
  note: string
  by: string | null
  at: string
}

export interface CouponUse {
  code: string
  order_id: number
  discount: number
  at: string
  /** Its order was cancelled, so it does not count. */
  is_freed: boolean
}

/** A customer as the admin sees one; money in taka. */
export interface CustomerRecord {
  id: number
  name: string
  phone: string
  email: string
  created_at: string
  has_account: boolean
  is_phone_verified: boolean
  /** Only a manager may change the phone of an account. */
  owns_account: boolean
  disabled_at: string | null
  /** The personal data was erased: nothing more is stored about the customer. */
  is_erased: boolean
  /** Wants no campaigns: opted out by the link of an SMS, or by staff. */
  opt_out: 'link' | 'staff' | null
  /** Customers that were merged into this one. */
  other_phones: { id: number; phone: string; name: string; merged_at: string | null }[]
  spent: number
  orders_count: number
  delivered_count: number
  /** Due on open orders. */
  due: number
  /** To refund: overpaid, or paid for orders that have ended. */
  refund_due: number
  last_order_at: string | null
  addresses: Address[]
  coupon_uses: CouponUse[]
  notes: CustomerNote[]
  devices: DeviceRow[]
}

type Base = Omit<CustomerRecord, 'addresses' | 'coupon_uses' | 'notes' | 'devices'>

/** The name of a user, or of the one into which that was merged; null for an unknown id. */
export async function findCustomerName(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from users where id = (select coalesce(merged_into, id) from users where id = ${id})`.execute(db)
  return rows[0]?.name ?? null
}

/** The record of a customer, without the lists of other areas. For a merged customer, the id of the one it was merged into. */
export async function findCustomer(db: Db, id: number, now: Date): Promise<CustomerRecord | { mergedInto: number } | null> {
  const { rows } = await sql<WithDates<Base & { merged_into: number | null }, 'created_at' | 'disabled_at' | 'last_order_at'>>`
    select u.id, u.name, u.phone, coalesce(u.email, '') as email, u.created_at, u.password_hash is not null as has_account,
      u.phone_verified_at is not null as is_phone_verified, ${OWNS_ACCOUNT} as owns_account, u.disabled_at, ${IS_ERASED} as is_erased, u.merged_into,
      (select x.source from sms_opt_outs x where x.phone = u.phone) as opt_out,
      coalesce((select json_agg(json_build_object('id', m.id, 'phone', m.phone, 'name', m.name, 'merged_at', m.merged_at) order by m.merged_at, m.id)
        from users m where m.merged_into = u.id), '[]') as other_phones,
      coalesce(o.refund_due, 0)::float8 / 100 as refund_due, coalesce(o.spent, 0)::float8 / 100 as spent, o.orders_count, o.delivered_count, coalesce(o.due, 0)::float8 / 100 as due, o.last_order_at
    from users u cross join lateral (
      select sum(spent_poisha) filter (where ${IS_HANDED_OVER}) as spent, count(*)::int as orders_count,
        count(*) filter (where ${IS_HANDED_OVER})::int as delivered_count,
        sum(greatest(0, amount_due(o))) as due, sum(greatest(0, -amount_due(o))) as refund_due, max(placed_at) as last_order_at
      from orders o where customer_id = u.id) o
    where u.id = ${id} and u.role = 'customer'`.execute(db)
  const found = rows[0]
  if (!found) return null
  const { merged_into: mergedInto, ...base } = datesToText(found)
  if (mergedInto !== null) return { mergedInto }
  const [addresses, couponUses, notes, devices] = await Promise.all([
    listAddresses(db, id),
    listCouponUses(db, id),
    listNotes(db, id),
    listDevices(db, { id, role: 'customer' }, now),
  ])
  return { ...base, addresses, coupon_uses: couponUses, notes, devices }
}

const MAX = 100

async function listCouponUses(db: Db, customerId: number): Promise<CouponUse[]> {
  const { rows } = await sql<WithDates<CouponUse, 'at'>>`
    select code, order_id, (discount_poisha + delivery_saved_poisha)::float8 / 100 as discount, at, released_at is not null as is_freed
    from coupon_uses where customer_id = ${customerId} order by at desc, order_id desc limit ${MAX}`.execute(db)
  return rows.map(datesToText)
}

async function listNotes(db: Db, customerId: number): Promise<CustomerNote[]> {
  const { rows } = await sql<WithDates<CustomerNote, 'at'>>`
    select n.id, n.note, u.name as by, n.at from customer_notes n left join users u on u.id = n.by_id
    where n.customer_id = ${customerId} order by n.id desc limit ${MAX}`.execute(db)
  return rows.map(datesToText)
}
