import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { lockOrderRow } from '#features/payments/queries.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { ok, refused, type Result } from '#lib/result.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { IS_TO_SEND } from '../status-conditions.server.ts'

export interface RemindDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
}

/** `checking`: a reported advance or a payment in review may be the missing money. */
export type RemindError = 'not-found' | 'nothing-missing' | 'checking' | 'already'

/**
 * Queues an SMS that asks for the missing advance of a booking, at most one a day per order. The amount is the unpaid part of the advance, or
 * the amount due when no advance is required.
 */
export async function remindAdvance(deps: RemindDeps, orderId: number, actor: Actor): Promise<Result<{ id: number }, RemindError>> {
  const settings = await deps.shopCache.settings()
  const now = deps.now()
  return inTransaction(deps.db, async (tx): Promise<Result<{ id: number }, RemindError>> => {
    // The lock is a statement of its own: the next one sees the report that was committed before it.
    await lockOrderRow(tx, orderId)
    const { rows } = await sql<{ missing: Poisha; checking: boolean }>`
      select case when not ${IS_TO_SEND} then 0
          when required_advance(o) > 0 then missing_advance(o) else amount_due(o) end::bigint as missing,
        has_unchecked_payment(o) as checking
      from orders o where o.id = ${orderId}`.execute(tx)
    if (!rows[0]) return refused('not-found')
    const { missing, checking } = rows[0]
    if (missing <= 0) return refused('nothing-missing')
    if (checking) return refused('checking')
    const sms = { orderId, event: `advance-missing-${dhakaDate(now)}`, text: settings.messages.advanceMissing, more: { amount: missing } }
    const id = await queueOrderSms(tx, orderSmsShop(deps.env.publicUrl, settings), { ...sms, sentBy: actor.id })
    if (id === null) return refused('already')
    await addOrderEvent(tx, orderId, actor, now, { kind: 'sms-sent', detail: { sms: id } })
    await audit(tx, actor, { action: 'sent', subject: 'sms', id, after: { order: orderId } })
    return ok({ id })
  })
}
