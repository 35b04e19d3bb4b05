import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db/db.server.ts'
import { lastWeighing, type LockedAnimal, lockAnimal, priceOf, updateWeight, type WeighInDeps } from './record-weigh-in.server.ts'

export type WeighInDeleted =
  | { ok: true }
  /** `settled`: an order was settled by it. `only`: the animal has no other. `no-rate`, `below-discount`: no price for the weight before. */
  | { ok: false; reason: 'not-found' | 'settled' | 'only' | 'no-rate' | 'below-discount' }

/**
 * Deletes a weigh-in that was recorded for another animal or day. The latest of those that are left sets the weight of the animal and, while
 * it is not booked, its price [W1].
 */
export async function deleteWeighIn(deps: WeighInDeps, animalId: number, weighInId: number, actor: Actor): Promise<WeighInDeleted> {
  try {
    const result = await inTransaction(deps.db, (tx) => deleteInside(tx, animalId, weighInId, actor))
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    // An order was settled by it at the same time.
    if (constraintOf(error) === 'settlements_weigh_in_id_fkey') return { ok: false, reason: 'settled' }
    if (error instanceof DeleteRejectedError) return { ok: false, reason: error.reason }
    throw error
  }
}

/** Rolls the deletion back. */
class DeleteRejectedError extends Error {
  readonly reason: Extract<WeighInDeleted, { ok: false }>['reason']

  constructor(reason: Extract<WeighInDeleted, { ok: false }>['reason']) {
    super(reason)
    this.reason = reason
  }
}

async function deleteInside(tx: Db, animalId: number, weighInId: number, actor: Actor): Promise<WeighInDeleted> {
  const animal = await lockAnimal(tx, animalId)
  const deleted =
    animal &&
    (await tx
      .deleteFrom('weigh_ins')
      .where('id', '=', weighInId)
      .where('product_id', '=', animalId)
      .returning(['grams', 'weighed_on as on', 'method'])
      .executeTakeFirst())
  if (!deleted) return { ok: false, reason: 'not-found' }
  const last = await lastWeighing(tx, animalId)
  if (!last) throw new DeleteRejectedError('only')
  const isChanged = last.on !== animal.weighed_on || last.grams !== animal.weight_grams
  const price = isChanged ? await priceAt(tx, animal, last.grams) : 'unchanged'
  if (isChanged) await updateWeight(tx, animalId, last, price)
  await audit(tx, actor, {
    action: 'weigh-in-deleted',
    subject: 'product',
    id: animalId,
    before: { grams: animal.weight_grams, price_poisha: animal.price_poisha, weigh_in: { id: weighInId, ...deleted } },
    after: { grams: last.grams, price_poisha: price === 'unchanged' ? animal.price_poisha : price },
  })
  return { ok: true }
}

/** The price of the animal at this weight; `unchanged` while it is booked or not sold by live weight. */
async function priceAt(tx: Db, animal: LockedAnimal, grams: number): Promise<number | 'unchanged'> {
  if (!animal.sold_by_live_weight || animal.order_id !== null) return 'unchanged'
  const price = await priceOf(tx, animal, grams)
  if (price === null) throw new DeleteRejectedError('no-rate')
  if (price < (animal.discount_poisha ?? 0)) throw new DeleteRejectedError('below-discount')
  return price
}
