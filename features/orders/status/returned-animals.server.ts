import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { releaseHold, writeOffAnimal } from '#features/stock/stock.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { ok, refused, type Result } from '#lib/result.ts'
import { sanitizeText, TEXT_LIMIT } from '#lib/format/text.ts'
import type { AdminDeps, StaffActor } from '../order-deps.ts'

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
  /** What was found when it was examined. */
  note: string
}

const MAX_LISTED = 200

/** Returned animals that wait for a release, the oldest first. */
export async function listReturnedAnimals(db: Db, lang: Lang): Promise<ReturnedAnimal[]> {
  const { rows } = await sql<WithDates<ReturnedAnimal, 'returned_at'>>`
    select p.id, p.version, ${lang === 'bn' ? sql`p.name_bn` : sql`p.name_en`} as name, coalesce(p.tag_number, '') as tag, r.order_id, r.returned_at,
      coalesce(o.reason, (select t.reason from pos_returns t where t.order_id = o.id order by t.id desc limit 1), '') as reason, r.is_ill, r.note
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

export type ReleaseRefusal = 'not-found' | 'reason-required' | 'changed'

/**
 * Decides about a returned animal: product, its order's history and the audit log in one transaction. Of two at once the second is refused.
 * Locks the order before the product, as every command about an order does.
 */
export async function releaseAnimal(
  deps: AdminDeps,
  productId: number,
  { outcome, reason, version }: Release,
  clerk: StaffActor,
): Promise<Result<{ orderId: number }, ReleaseRefusal>> {
  const why = sanitizeText(reason).slice(0, TEXT_LIMIT)
  if (why === '') return refused('reason-required')
  const result = await inTransaction(deps.db, async (tx): Promise<Result<{ orderId: number }, ReleaseRefusal>> => {
    const orderId = await orderOf(tx, productId)
    if (orderId === null) return refused('not-found')
    await sql`select 1 from orders where id = ${orderId} for update`.execute(tx)
    const { rows } = await sql<{ version: number; tag: string; hold_reason: string | null }>`
      select version, coalesce(tag_number, '') as tag, hold_reason from products where id = ${productId} for update`.execute(tx)
    const animal = rows[0]
    // Another release or a reopened order may have taken the animal while this one waited for the lock.
    if (!animal || animal.hold_reason !== 'returned' || (await orderOf(tx, productId)) !== orderId) return refused('changed')
    if (animal.version !== version) return refused('changed')
    await move(tx, productId, outcome, why)
    const detail = { tag: animal.tag, outcome, reason: why }
    await addOrderEvent(tx, orderId, { kind: 'staff', id: clerk.id }, deps.now(), { kind: `animal-${outcome}`, detail })
    const status = { healthy: 'in-stock', ill: 'hold', 'not-for-sale': 'out-of-stock' }[outcome]
    const after = { status, release: outcome, reason: why, order: orderId }
    await audit(tx, clerk, { action: 'changed', subject: 'product', id: productId, before: { status: 'hold' }, after })
    return ok({ orderId })
  })
  if (result.ok) deps.catalogChanged()
  return result
}

async function orderOf(tx: Db, productId: number): Promise<number | null> {
  const { rows } = await sql<{ order_id: number }>`select order_id from returned_animals where product_id = ${productId}`.execute(tx)
  return rows[0]?.order_id ?? null
}

async function move(tx: Db, productId: number, outcome: ReleaseOutcome, note: string): Promise<void> {
  if (outcome === 'ill') {
    await sql`update returned_animals set is_ill = true, note = ${note} where product_id = ${productId}`.execute(tx)
    // A new version: a second clerk with the list of before is refused.
    await sql`update products set version = version + 1 where id = ${productId}`.execute(tx)
    return
  }
  if (outcome === 'healthy') await releaseHold(tx, [productId])
  else await writeOffAnimal(tx, productId)
}
