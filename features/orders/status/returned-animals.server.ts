import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { releaseHold, writeOffAnimals } from '#features/stock/stock.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { ok, refused, type Result } from '#lib/result.ts'
import { sanitizeText } from '#lib/format/text.ts'
import type { AdminDeps } from '../order-deps.ts'

/** An animal that came back from an order and is on hold until it is released. */
export interface ReturnedAnimal {
  id: number
  /** The version of the product. */
  version: number
  name: string
  tag: string
  order_id: number
  returned_at: string
  /** Why the order was returned. */
  reason: string
  is_ill: boolean
  /** Whether the shop shows it: a sold animal may have been hidden since. */
  is_shown: boolean
  /** The result of the examination. */
  note: string
}

const MAX_LISTED = 200

/** Returned animals that wait for a release, the oldest first. */
export async function listReturnedAnimals(db: Db, lang: Lang): Promise<ReturnedAnimal[]> {
  const { rows } = await sql<WithDates<ReturnedAnimal, 'returned_at'>>`
    select p.id, p.version, ${columnIn(lang, 'p.name')} as name, coalesce(p.tag_number, '') as tag, r.order_id, r.returned_at,
      coalesce(o.reason, (select t.reason from pos_returns t where t.order_id = o.id order by t.id desc limit 1), '') as reason, r.is_ill, p.visible as is_shown, r.note
    from returned_animals r join products p on p.id = r.product_id join orders o on o.id = r.order_id
    where p.hold_reason = 'returned' order by r.returned_at, p.id limit ${MAX_LISTED}`.execute(db)
  return rows.map(datesToText)
}

/** `healthy`: for sale again. `ill`: stays on hold and on the list. `not-for-sale`: out of stock, off the list. */
export const RELEASE_OUTCOMES = ['healthy', 'ill', 'not-for-sale'] as const
export type ReleaseOutcome = (typeof RELEASE_OUTCOMES)[number]

export interface Release {
  outcome: ReleaseOutcome
  reason: string
  /** The version of the product that the clerk saw. */
  version: number
}

export type ReleaseError = 'not-found' | 'reason-required' | 'changed'

/**
 * Decides about a returned animal: product, event of its order and audit log in one transaction. Of two concurrent calls the second is
 * rejected. Locks the order before the product (lock order).
 */
export async function releaseAnimal(
  deps: AdminDeps,
  productId: number,
  { outcome, reason, version }: Release,
  clerk: Actor,
): Promise<Result<{ orderId: number }, ReleaseError>> {
  const reasonText = sanitizeText(reason)
  if (reasonText === '') return refused('reason-required')
  const result = await inTransaction(deps.db, async (tx): Promise<Result<{ orderId: number }, ReleaseError>> => {
    const orderId = await orderOf(tx, productId)
    if (orderId === null) return refused('not-found')
    await tx.selectFrom('orders').select('id').where('id', '=', orderId).forUpdate().execute()
    const { rows } = await sql<{ version: number; tag: string; hold_reason: string | null }>`
      select version, coalesce(tag_number, '') as tag, hold_reason from products where id = ${productId} for update`.execute(tx)
    const animal = rows[0]
    // Another release or a reopened order may have taken the animal while this one waited for the lock.
    if (!animal || animal.hold_reason !== 'returned' || (await orderOf(tx, productId)) !== orderId) return refused('changed')
    if (animal.version !== version) return refused('changed')
    await applyOutcome(tx, productId, outcome, reasonText)
    const detail = { tag: animal.tag, outcome, reason: reasonText }
    await addOrderEvent(tx, orderId, clerk, deps.now(), { kind: `animal-${outcome}`, detail })
    const status = { healthy: 'in-stock', ill: 'hold', 'not-for-sale': 'out-of-stock' }[outcome]
    const after = { status, release: outcome, reason: reasonText, order: orderId }
    await audit(tx, clerk, { action: 'changed', subject: 'product', id: productId, before: { status: 'hold' }, after })
    return ok({ orderId })
  })
  if (result.ok) deps.catalogChanged()
  return result
}

async function orderOf(tx: Db, productId: number): Promise<number | null> {
  const animal = await tx.selectFrom('returned_animals').select('order_id').where('product_id', '=', productId).executeTakeFirst()
  return animal?.order_id ?? null
}

async function applyOutcome(tx: Db, productId: number, outcome: ReleaseOutcome, note: string): Promise<void> {
  if (outcome === 'ill') {
    await tx.updateTable('returned_animals').set({ is_ill: true, note }).where('product_id', '=', productId).execute()
    // The new version rejects a second clerk who has the old list.
    await tx
      .updateTable('products')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', productId)
      .execute()
    return
  }
  if (outcome === 'healthy') await releaseHold(tx, [productId])
  else await writeOffAnimals(tx, [productId])
}
