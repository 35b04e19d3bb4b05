import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsLang, orderSmsShop, type OrderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import {
  FINAL_WEIGHING,
  FINAL_WEIGHING_STATE,
  type FinalWeighingState,
  SOLD_BY_WEIGHT,
} from '#features/orders/status/final-weighing.server.ts'
import { lockOrder, type LockedOrder, raiseOrderVersion } from '#features/orders/order-locks.server.ts'
import { addLedgerEntry, findOrderMoney } from '#features/ledger/ledger.server.ts'
import { reverseAdjustments } from '#features/ledger/adjustment-entries.server.ts'
import { isEditable } from '#features/orders/rules.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db/db.server.ts'
import { poisha, type Poisha } from '#lib/format/money.ts'
import { formatKg } from '#lib/format/numbers.ts'
import { settlementDifference } from '../rules.ts'

export interface SettleDeps {
  db: Db
  now: () => Date
  publicUrl: string
  shopCache: { settings(): Promise<Settings> }
}

export interface Settlement {
  oldGrams: number
  newGrams: number
  ratePoisha: Poisha
  /** The price difference; negative for a refund. */
  difference: Poisha
  /** The amount due afterwards; negative for a refund. */
  due: Poisha
}

export type SettleResult =
  | { ok: true; settlement: Settlement }
  /**
   * `not-booked`: the order does not hold the animal at a rate, or is not live. `not-weighed`: no final weigh-in. `weighed-again`: the
   * final weigh-in is not the given one. `settled`: the order is settled by this weight.
   */
  | { ok: false; reason: 'not-found' | 'not-booked' | 'not-weighed' | 'weighed-again' | 'settled' }

interface BookedAnimal {
  product_id: number
  tag_number: string
  rate_poisha: Poisha
  old_grams: number
  weigh_in: { id: number; grams: number } | null
  state: FinalWeighingState
}

/**
 * Settles an order by the final weigh-in of its animal, at the rate of the booking [W3]. Writes a ledger entry, an order event and an SMS
 * in one transaction. After a later final weigh-in the difference to the settled weight can be settled. `weighInId` is the weigh-in on the
 * user's screen; null accepts the latest.
 */
export async function settleOrder(
  deps: SettleDeps,
  { orderId, animalId, weighInId }: { orderId: number; animalId: number; weighInId: number | null },
  actor: Actor,
): Promise<SettleResult> {
  const settings = await deps.shopCache.settings()
  const settled = inTransaction(deps.db, async (tx): Promise<SettleResult> => {
    const order = await lockOrder(tx, orderId)
    if (!order) return { ok: false, reason: 'not-found' }
    const animal = isEditable(order.status) ? await findBookedAnimal(tx, orderId, animalId) : null
    if (!animal) return { ok: false, reason: 'not-booked' }
    if (animal.state === 'settled') return { ok: false, reason: 'settled' }
    if (!animal.weigh_in) return { ok: false, reason: 'not-weighed' }
    if (weighInId !== null && weighInId !== animal.weigh_in.id) return { ok: false, reason: 'weighed-again' }
    const { old_grams: oldGrams, rate_poisha: ratePoisha } = animal
    const newGrams = animal.weigh_in.grams
    const difference = settlementDifference(oldGrams, newGrams, ratePoisha)
    // A negative settlement raises the price of the order.
    const amount = poisha(-difference)
    const entry = { orderId, kind: 'settlement', method: 'weighing', amount, actorId: actor.id, at: deps.now() } as const
    // One weigh-in can settle several orders after each other. References are unique.
    const reference = `weigh-in-${animal.weigh_in.id}-order-${orderId}`
    const ledgerId = difference === 0 ? null : await addLedgerEntry(tx, { ...entry, reference })
    await tx
      .insertInto('settlements')
      .values({
        weigh_in_id: animal.weigh_in.id,
        order_id: orderId,
        product_id: animalId,
        old_grams: oldGrams,
        new_grams: newGrams,
        rate_poisha: ratePoisha,
        ledger_entry_id: ledgerId,
        settled_by: actor.id,
        at: deps.now(),
      })
      .execute()
    if (difference !== 0) await reverseAdjustments(tx, orderId, actor, deps.now())
    const settlement = { oldGrams, newGrams, ratePoisha, difference, due: (await findOrderMoney(tx, orderId))!.duePoisha }
    await raiseOrderVersion(tx, orderId, deps.now())
    await addOrderEvent(tx, orderId, actor, deps.now(), {
      kind: 'settled',
      detail: { tag: animal.tag_number, ...settlement },
    })
    await audit(tx, actor, { action: 'settled', subject: 'order', id: orderId, after: { tag: animal.tag_number, ...settlement } })
    // What was paid may cover a lower price.
    if (difference < 0) await sellPaidAnimals(tx, orderId)
    await queueSettlementSms(tx, orderSmsShop(deps.publicUrl, settings), { order, animal, settlement, settings })
    return { ok: true, settlement }
  })
  return settled.catch((error: unknown) => {
    // The weigh-in was deleted at the same time.
    if (constraintOf(error) === 'settlements_weigh_in_id_fkey') return { ok: false, reason: 'weighed-again' }
    throw error
  })
}

/** The animal of the order with the weight of its current price, and its final weigh-in. */
async function findBookedAnimal(tx: Db, orderId: number, animalId: number): Promise<BookedAnimal | null> {
  const { rows } = await sql<BookedAnimal>`
    select l.product_id, l.tag_number, l.booked_rate_poisha as rate_poisha, coalesce(s.new_grams, l.booked_grams) as old_grams,
      case when w.id is not null then jsonb_build_object('id', w.id, 'grams', w.grams) end as weigh_in, ${FINAL_WEIGHING_STATE} as state
    from order_lines l join orders o on o.id = l.order_id ${FINAL_WEIGHING}
    where l.order_id = ${orderId} and l.product_id = ${animalId} and ${SOLD_BY_WEIGHT}`.execute(tx)
  return rows[0] ?? null
}

async function queueSettlementSms(
  tx: Db,
  shop: OrderSmsShop,
  settled: { order: LockedOrder; animal: BookedAnimal; settlement: Settlement; settings: Settings },
): Promise<void> {
  const { order, animal, settlement, settings } = settled
  const lang = orderSmsLang(order.lang, settings)
  const more = {
    tag: animal.tag_number,
    old_kg: formatKg(settlement.oldGrams, lang),
    new_kg: formatKg(settlement.newGrams, lang),
    rate: settlement.ratePoisha,
    difference: settlement.difference,
    due: settlement.due,
  }
  await queueOrderSms(tx, shop, { orderId: order.id, event: `settled-${animal.weigh_in!.id}`, text: settings.messages.settled, more })
}
