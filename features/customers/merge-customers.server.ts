import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { OWNS_ACCOUNT } from './account-state.server.ts'
import { type CustomerClerk, type CustomerDeps, notifyOldNumber } from './change-customer.server.ts'

/** One of two customers who may be the same person, with the numbers of its rows. */
export interface MergeSide {
  id: number
  name: string
  phone: string
  email: string
  has_account: boolean
  /** Only a manager may merge the owner of an account into another customer. */
  owns_account: boolean
  is_disabled: boolean
  orders: number
  addresses: number
  notes: number
  coupon_uses: number
  bookings: number
}

export type MergeRefusal = 'missing' | 'same' | 'staff' | 'merged' | 'disabled' | 'stale' | 'managers'
export type MergeResult = { ok: true } | { ok: false; reason: MergeRefusal }

type Row = MergeSide & { role: string; merged_into: number | null }

/** Checks whether two customers can be merged, and counts the rows that would move. */
export async function previewMerge(
  db: Db,
  keptId: number,
  otherId: number,
): Promise<{ ok: true; kept: MergeSide; other: MergeSide } | { ok: false; reason: MergeRefusal }> {
  const { rows } = await sql<Row>`
    select u.id, u.role, u.merged_into, u.name, u.phone, coalesce(u.email, '') as email, u.password_hash is not null as has_account, ${OWNS_ACCOUNT} as owns_account,
      u.disabled_at is not null as is_disabled, (select count(*)::int from orders where customer_id = u.id) as orders,
      (select count(*)::int from addresses where customer_id = u.id) as addresses,
      (select count(*)::int from customer_notes where customer_id = u.id) as notes,
      (select count(*)::int from coupon_uses where customer_id = u.id) as coupon_uses,
      (select count(*)::int from kurbani_bookings where phone = u.phone) as bookings
    from users u where u.id in (${keptId}, ${otherId})`.execute(db)
  const [kept, other] = [rows.find(({ id }) => id === keptId), rows.find(({ id }) => id === otherId)]
  if (keptId === otherId) return { ok: false, reason: 'same' }
  if (!kept || !other) return { ok: false, reason: 'missing' }
  if (kept.role !== 'customer' || other.role !== 'customer') return { ok: false, reason: 'staff' }
  if (kept.merged_into !== null || other.merged_into !== null) return { ok: false, reason: 'merged' }
  if (kept.is_disabled) return { ok: false, reason: 'disabled' }
  return { ok: true, kept: side(kept), other: side(other) }
}

function side({ role: _role, merged_into: _into, ...rest }: Row): MergeSide {
  return rest
}

/**
 * Merges one customer into another: orders, addresses, coupon uses and notes move to the kept one. The other row stays, disabled and
 * without a password, because of its phone: orders with that phone become orders of the kept customer (trigger `orders_kept_customer`),
 * and its bookings and SMS are shown there. Merging an account needs a manager, and its number gets an SMS. `stale` when the number of
 * orders is not `seenOrders`, the one that the preview showed.
 */
export async function mergeCustomers(
  deps: CustomerDeps,
  who: CustomerClerk,
  { keptId, otherId, seenOrders }: { keptId: number; otherId: number; seenOrders: number },
): Promise<MergeResult> {
  const now = deps.now()
  const settings = await deps.facts.settings()
  return inTransaction(deps.db, async (tx) => {
    // Lock order: orders before users. A request that saves one of these orders locks them in the same order.
    await sql`select 1 from orders where customer_id in (${keptId}, ${otherId}) order by id for update`.execute(tx)
    await sql`select 1 from users where id in (${keptId}, ${otherId}) order by id for update`.execute(tx)
    const preview = await previewMerge(tx, keptId, otherId)
    if (!preview.ok) return preview
    const { kept, other } = preview
    if (other.owns_account && !who.can('customers.accounts')) return { ok: false, reason: 'managers' }
    if (other.orders !== seenOrders) return { ok: false, reason: 'stale' }
    if (other.owns_account)
      await notifyOldNumber(tx, { customerId: otherId, phone: other.phone, event: 'account-merged', settings }, (t) =>
        t('auth.sms-merged', { phone: maskPhone(kept.phone) }),
      )
    // Two addresses cannot both be the default.
    await sql`update addresses set is_default = false where customer_id = ${otherId} and is_default
      and exists (select 1 from addresses where customer_id = ${keptId} and is_default)`.execute(tx)
    for (const table of ['orders', 'addresses', 'coupon_uses', 'customer_notes'])
      await sql`update ${sql.table(table)} set customer_id = ${keptId} where customer_id = ${otherId}`.execute(tx)
    await closeOther(tx, keptId, otherId, now)
    if (kept.email === '' && other.email !== '')
      await tx.updateTable('users').set({ email: other.email, email_at: now }).where('id', '=', keptId).execute()
    await audit(tx, who, {
      action: 'merged',
      subject: 'customer',
      id: keptId,
      before: { kept, other },
      after: { kept: { ...kept, ...moved(kept, other) } },
    })
    return { ok: true }
  })
}

async function closeOther(tx: Db, keptId: number, otherId: number, now: Date): Promise<void> {
  await closeSessions(tx, otherId)
  await tx.deleteFrom('second_factors').where('user_id', '=', otherId).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', otherId).execute()
  await sql`update users set merged_into = ${keptId}, merged_at = ${now}, disabled_at = coalesce(disabled_at, ${now}), password_hash = null
    where id = ${otherId}`.execute(tx)
  await tx.updateTable('users').set({ merged_into: keptId }).where('merged_into', '=', otherId).execute()
}

function moved(kept: MergeSide, other: MergeSide): Partial<MergeSide> {
  return {
    orders: kept.orders + other.orders,
    addresses: kept.addresses + other.addresses,
    notes: kept.notes + other.notes,
    coupon_uses: kept.coupon_uses + other.coupon_uses,
  }
}

/** The customer that a typed phone, in any spelling, or number belongs to. */
export async function findOtherOrder(db: Db, by: { phone: string } | { id: number }): Promise<number | null> {
  const { rows } = await sql<{
    id: number
  }>`select id from users where ${'phone' in by ? sql`phone = ${by.phone}` : sql`id = ${by.id}`}`.execute(db)
  return rows[0]?.id ?? null
}
