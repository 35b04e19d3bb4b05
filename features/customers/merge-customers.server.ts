import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { givenName } from '#features/auth/placeholder-names.server.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { endOrderAccess } from '#features/orders/order-access-token.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { poishaToTaka, sum, takaToPoisha } from '#lib/format/money.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { IS_ERASED, OWNS_ACCOUNT } from './account-state.server.ts'
import { type CustomerDeps, notifyOldNumber } from './change-customer.server.ts'

/** One of the two customers of a merge, with its numbers of rows. */
export interface MergeSide {
  id: number
  name: string
  phone: string
  email: string
  has_account: boolean
  /** Only a manager may merge the owner of an account into another customer. */
  owns_account: boolean
  is_disabled: boolean
  /** Taka, as the next two. */
  credit_limit: number
  /** What the customer owes on account. */
  owed: number
  store_credit: number
  orders: number
  addresses: number
  notes: number
  coupon_uses: number
  bookings: number
}

export type MergeError = 'missing' | 'same' | 'staff' | 'merged' | 'disabled' | 'stale' | 'managers'
export type MergeResult = { ok: true } | { ok: false; reason: MergeError }

type Row = MergeSide & { role: string; merged_into: number | null }

/** Checks whether two customers can be merged, and counts the rows that would move. */
export async function previewMerge(
  db: Db,
  targetId: number,
  otherId: number,
): Promise<{ ok: true; target: MergeSide; other: MergeSide } | { ok: false; reason: MergeError }> {
  const { rows } = await sql<Row>`
    select u.id, u.role, u.merged_into, u.name, u.phone, coalesce(u.email, '') as email, u.password_hash is not null as has_account, ${OWNS_ACCOUNT} as owns_account,
      u.disabled_at is not null as is_disabled, u.credit_limit_poisha / 100.0::float8 as credit_limit,
      account_balance(u.id) / 100.0::float8 as owed, store_credit_balance(u.id) / 100.0::float8 as store_credit, (select count(*)::int from orders where customer_id = u.id) as orders,
      (select count(*)::int from addresses where customer_id = u.id) as addresses,
      (select count(*)::int from customer_notes where customer_id = u.id) as notes,
      (select count(*)::int from coupon_uses where customer_id = u.id) as coupon_uses,
      (select count(*)::int from kurbani_bookings where phone = u.phone) as bookings
    from users u where u.id in (${targetId}, ${otherId}) and not ${IS_ERASED}`.execute(db)
  const [target, other] = [rows.find(({ id }) => id === targetId), rows.find(({ id }) => id === otherId)]
  if (targetId === otherId) return { ok: false, reason: 'same' }
  if (!target || !other) return { ok: false, reason: 'missing' }
  if (target.role !== 'customer' || other.role !== 'customer') return { ok: false, reason: 'staff' }
  if (target.merged_into !== null || other.merged_into !== null) return { ok: false, reason: 'merged' }
  if (target.is_disabled) return { ok: false, reason: 'disabled' }
  return { ok: true, target: side(target), other: side(other) }
}

function side({ role: _role, merged_into: _into, ...rest }: Row): MergeSide {
  return rest
}

/**
 * Merges the other customer into the target: orders, addresses, coupon uses, notes, payments on account and store credit move, and the target
 * gets what `mergedSide` says. The other row stays, disabled and without a password, because of its phone: a trigger gives new orders with
 * that phone to the target, which also shows its bookings and SMS. Merging an account needs a manager, and its number gets an SMS. `stale`
 * when the number of orders differs from `previewedOrders`.
 */
export async function mergeCustomers(
  deps: CustomerDeps,
  actor: StaffActor,
  { targetId, otherId, previewedOrders }: { targetId: number; otherId: number; previewedOrders: number },
): Promise<MergeResult> {
  const now = deps.now()
  const settings = await deps.shopCache.settings()
  return inTransaction(deps.db, async (tx) => {
    // Lock order: orders before users. A request that saves one of these orders locks them in the same order.
    const ids = [targetId, otherId]
    await tx.selectFrom('orders').select('id').where('customer_id', 'in', ids).orderBy('id').forUpdate().execute()
    await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
    const preview = await previewMerge(tx, targetId, otherId)
    if (!preview.ok) return preview
    const { target, other } = preview
    if (other.owns_account && !actor.can('customers.accounts')) return { ok: false, reason: 'managers' }
    if (other.orders !== previewedOrders) return { ok: false, reason: 'stale' }
    await endOrderAccess(tx, otherId, null)
    if (other.owns_account)
      await notifyOldNumber(tx, { customerId: otherId, phone: other.phone, event: 'account-merged', settings }, (t) =>
        t('auth.sms-merged', { phone: maskPhone(target.phone) }),
      )
    // Two addresses cannot both be the default.
    await sql`update addresses set is_default = false where customer_id = ${otherId} and is_default
      and exists (select 1 from addresses where customer_id = ${targetId} and is_default)`.execute(tx)
    for (const table of ['orders', 'addresses', 'coupon_uses', 'customer_notes', 'account_payments', 'store_credit_entries'] as const)
      await tx.updateTable(table).set({ customer_id: targetId }).where('customer_id', '=', otherId).execute()
    await closeOther(tx, targetId, otherId, now)
    const merged = mergedSide(target, other)
    if (merged.name !== target.name) await tx.updateTable('users').set({ name: merged.name }).where('id', '=', targetId).execute()
    if (target.email === '' && other.email !== '')
      await tx.updateTable('users').set({ email: other.email, email_at: now }).where('id', '=', targetId).execute()
    await audit(tx, actor, {
      action: 'merged',
      subject: 'customer',
      id: targetId,
      before: { kept: target, other },
      after: { kept: merged },
    })
    return { ok: true }
  })
}

async function closeOther(tx: Db, targetId: number, otherId: number, now: Date): Promise<void> {
  await closeSessions(tx, otherId)
  await tx.deleteFrom('second_factors').where('user_id', '=', otherId).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', otherId).execute()
  await sql`update users set merged_into = ${targetId}, merged_at = ${now}, disabled_at = coalesce(disabled_at, ${now}), password_hash = null
    where id = ${otherId}`.execute(tx)
  await tx.updateTable('users').set({ merged_into: targetId }).where('merged_into', '=', otherId).execute()
}

/** The target after the merge. It has the other one's name and email where it has none. Its credit limit stays (decision 24). */
function mergedSide(target: MergeSide, other: MergeSide): MergeSide {
  return {
    ...target,
    name: givenName(target.name) === '' && givenName(other.name) !== '' ? other.name : target.name,
    email: target.email || other.email,
    orders: target.orders + other.orders,
    addresses: target.addresses + other.addresses,
    notes: target.notes + other.notes,
    coupon_uses: target.coupon_uses + other.coupon_uses,
    owed: sumTaka(target.owed, other.owed),
    store_credit: sumTaka(target.store_credit, other.store_credit),
  }
}

const sumTaka = (...amounts: number[]) => poishaToTaka(sum(amounts.map(takaToPoisha)))

/** The id of the user with a phone or an id; null when there is none. */
export async function findMergeCandidate(db: Db, by: { phone: string } | { id: number }): Promise<number | null> {
  const users = db.selectFrom('users').select('id')
  const user = await ('phone' in by ? users.where('phone', '=', by.phone) : users.where('id', '=', by.id)).executeTakeFirst()
  return user?.id ?? null
}
