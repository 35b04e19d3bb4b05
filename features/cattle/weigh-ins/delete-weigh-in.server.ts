import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db/db.server.ts'
import { lastWeighing, lockAnimal, priceOf, updateWeight, type WeighInDeps } from './record-weigh-in.server.ts'

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
    throw error
  }
}

async function deleteInside(tx: Db, animalId: number, weighInId: number, actor: Actor): Promise<WeighInDeleted> {
  const animal = await lockAnimal(tx, animalId)
  const weighIn = animal && (await findWeighIn(tx, animalId, weighInId))
  if (!weighIn) return { ok: false, reason: 'not-found' }
  const last = await lastWeighing(tx, animalId, weighInId)
  if (!last) return { ok: false, reason: 'only' }
  const isChanged = last.on !== animal.weighed_on || last.grams !== animal.weight_grams
  const price = isChanged ? await priceOf(tx, animal, last.grams) : 'unchanged'
  if (price === 'no-rate' || price === 'below-discount') return { ok: false, reason: price }
  await tx.deleteFrom('weigh_ins').where('id', '=', weighInId).execute()
  if (isChanged) await updateWeight(tx, animalId, last, price)
  await audit(tx, actor, {
    action: 'weigh-in-deleted',
    subject: 'product',
    id: animalId,
    before: { grams: animal.weight_grams, price_poisha: animal.price_poisha, weigh_in: { id: weighInId, ...weighIn } },
    after: { grams: last.grams, price_poisha: price === 'unchanged' ? animal.price_poisha : price },
  })
  return { ok: true }
}

function findWeighIn(tx: Db, animalId: number, weighInId: number) {
  const weighIn = tx.selectFrom('weigh_ins').select(['grams', 'weighed_on as on', 'method']).where('id', '=', weighInId)
  return weighIn.where('product_id', '=', animalId).executeTakeFirst()
}
