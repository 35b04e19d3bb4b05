import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { OWNS_ACCOUNT } from './account-state.server.ts'
import { type CustomerClerk, type CustomerDeps, notifyOldNumber } from './change-customer.server.ts'

/** One of the two that may be the same person, and what is its own. */
export interface MergeSide {
  id: number
  name: string
  phone: string
  email: string
  has_account: boolean
  /** Somebody signs in with it: merging it into another takes a manager. */
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

/** The numbers of what would move, and whether it may. */
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
 * Makes one customer of two: orders, addresses, coupon uses and notes of the other are the kept one's. The other's row stays for its phone,
 * closed and without a password, and leads to the kept one: who orders with it orders as the kept one (the trigger `orders_kept_customer`), and
 * bookings and texts of that phone are shown there. An account takes a manager, and its number is told. `seenOrders` is what the preview said;
 * `stale` when it is no longer so.
 */
export async function mergeCustomers(
  deps: CustomerDeps,
  who: CustomerClerk,
  { keptId, otherId, seenOrders }: { keptId: number; otherId: number; seenOrders: number },
): Promise<MergeResult> {
  const now = deps.now()
  const settings = await deps.facts.settings()
  return inTransaction(deps.db, async (tx) => {
    // Orders before people, as everywhere: who saves one of these orders must not wait for us while we wait for the order.
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
      await sql`update users set email = ${other.email}, email_at = ${now} where id = ${keptId}`.execute(tx)
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
  await sql`delete from second_factors where user_id = ${otherId}`.execute(tx)
  await sql`delete from recovery_codes where user_id = ${otherId}`.execute(tx)
  await sql`update users set merged_into = ${keptId}, merged_at = ${now}, disabled_at = coalesce(disabled_at, ${now}), password_hash = null
    where id = ${otherId}`.execute(tx)
  await sql`update users set merged_into = ${keptId} where merged_into = ${otherId}`.execute(tx)
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
