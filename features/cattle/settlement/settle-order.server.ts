import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import {
  FINAL_WEIGHING,
  FINAL_WEIGHING_STATE,
  type FinalWeighingState,
  SOLD_BY_WEIGHT,
} from '#features/orders/status/final-weighing.server.ts'
import { lockOrder, type LockedOrder } from '#features/orders/order-locks.server.ts'
import { addLedgerEntry, findOrderMoney } from '#features/ledger/ledger.server.ts'
import { isLive } from '#features/orders/rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { poisha, type Poisha } from '#lib/format/money.ts'
import { formatKg } from '#lib/format/numbers.ts'
import { settlementDifference } from '../rules.ts'

export interface SettleDeps {
  db: Db
  now: () => Date
  publicUrl: string
  facts: { settings(): Promise<Settings> }
}

export interface Settlement {
  oldGrams: number
  newGrams: number
  ratePoisha: Poisha
  /** More to pay; below zero: to be given back. */
  difference: Poisha
  /** What is due after it; below zero: to be given back. */
  due: Poisha
}

export type SettleResult =
  | { ok: true; settlement: Settlement }
  /**
   * `not-booked`: the order does not hold the animal at a rate, or is over. `not-weighed`: no final weigh-in. `weighed-again`: the final
   * weigh-in is another one than the given. `settled`: the order has this weight.
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
 * Settles an order by its animal's final weigh-in at the rate frozen at booking [W3]: a ledger entry, a line in the timeline, an SMS; or
 * nothing. A later final weigh-in of another weight settles the difference to the weight settled before. `weighInId` is the weigh-in that
 * the person saw; null takes the latest.
 */
export async function settleOrder(
  deps: SettleDeps,
  { orderId, animalId, weighInId }: { orderId: number; animalId: number; weighInId: number | null },
  who: Actor,
): Promise<SettleResult> {
  const settings = await deps.facts.settings()
  return inTransaction(deps.db, async (tx): Promise<SettleResult> => {
    const order = await lockOrder(tx, orderId)
    if (!order) return { ok: false, reason: 'not-found' }
    const animal = isLive(order.status) && order.status !== 'completed' ? await findBookedAnimal(tx, orderId, animalId) : null
    if (!animal) return { ok: false, reason: 'not-booked' }
    if (animal.state === 'settled') return { ok: false, reason: 'settled' }
    if (!animal.weigh_in) return { ok: false, reason: 'not-weighed' }
    if (weighInId !== null && weighInId !== animal.weigh_in.id) return { ok: false, reason: 'weighed-again' }
    const { old_grams: oldGrams, rate_poisha: ratePoisha } = animal
    const newGrams = animal.weigh_in.grams
    const difference = settlementDifference(oldGrams, newGrams, ratePoisha)
    // A settlement below zero raises what the order costs.
    const amount = poisha(-difference)
    const entry = { orderId, kind: 'settlement', method: 'weighing', amount, actorId: who.id, at: deps.now() } as const
    const ledgerId = difference === 0 ? null : await addLedgerEntry(tx, { ...entry, reference: `weigh-in-${animal.weigh_in.id}` })
    await sql`insert into settlements (weigh_in_id, order_id, product_id, old_grams, new_grams, rate_poisha, ledger_entry_id, settled_by, at)
      values (${animal.weigh_in.id}, ${orderId}, ${animalId}, ${oldGrams}, ${newGrams}, ${ratePoisha}, ${ledgerId}, ${who.id}, ${deps.now()})`.execute(
      tx,
    )
    const settlement = { oldGrams, newGrams, ratePoisha, difference, due: (await findOrderMoney(tx, orderId))!.duePoisha }
    await sql`update orders set version = version + 1, updated_at = ${deps.now()} where id = ${orderId}`.execute(tx)
    await addOrderEvent(tx, orderId, { kind: 'staff', id: who.id }, deps.now(), {
      kind: 'settled',
      detail: { tag: animal.tag_number, ...settlement },
    })
    await audit(tx, who, { action: 'settled', subject: 'order', id: orderId, after: { tag: animal.tag_number, ...settlement } })
    await tell(tx, deps, order, animal, settlement, settings)
    return { ok: true, settlement }
  })
}

/** The animal of the order with the weight it is reckoned by, and its final weigh-in. */
async function findBookedAnimal(tx: Db, orderId: number, animalId: number): Promise<BookedAnimal | null> {
  const { rows } = await sql<BookedAnimal>`
    select l.product_id, l.tag_number, l.booked_rate_poisha as rate_poisha, coalesce(s.new_grams, l.booked_grams) as old_grams,
      case when w.id is not null then jsonb_build_object('id', w.id, 'grams', w.grams) end as weigh_in, ${FINAL_WEIGHING_STATE} as state
    from order_lines l join orders o on o.id = l.order_id ${FINAL_WEIGHING}
    where l.order_id = ${orderId} and l.product_id = ${animalId} and ${SOLD_BY_WEIGHT}`.execute(tx)
  return rows[0] ?? null
}

async function tell(
  tx: Db,
  deps: SettleDeps,
  order: LockedOrder,
  animal: BookedAnimal,
  settlement: Settlement,
  settings: Settings,
): Promise<void> {
  const lang = orderSmsLang(order.lang, settings)
  const more = {
    tag: animal.tag_number,
    old_kg: formatKg(settlement.oldGrams, lang),
    new_kg: formatKg(settlement.newGrams, lang),
    rate: settlement.ratePoisha,
    difference: settlement.difference,
    due: settlement.due,
  }
  const sms = { orderId: order.id, event: `settled-${animal.weigh_in!.id}`, text: settings.messages.settled, more }
  await queueOrderSms(tx, orderSmsShop(deps.publicUrl, settings), sms)
}
