import type { Actor } from '#features/audit/audit.server.ts'
import { type CashMove, lockDrawer, moveDrawerCash, type OpenShift, refusesCash } from '#features/pos/drawer.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

// Cash of an order that goes through the drawer of the clerk's open shift.

/** The drawer that was chosen. `lang`: the language of the reason in its reports. */
export interface OrderDrawer {
  shift: OpenShift
  lang: Lang
}

/** Cash of an order; negative amounts are paid back. `drawer`: null where the cash stays outside. */
export interface OrderCash {
  amount: Poisha
  drawer: OrderDrawer | null
}

/**
 * Locks the drawer of the clerk's open shift before the order (lock order). `lang`: null where the cash stays outside. `closed`: there is no
 * open shift.
 */
export async function lockOrderDrawer(tx: Db, clerk: Actor, lang: Lang | null): Promise<OrderDrawer | 'closed' | null> {
  if (lang === null) return null
  const shift = await lockDrawer(tx, clerk)
  return shift ? { shift, lang } : 'closed'
}

/** Whether the drawer holds less than what is paid back from it. A refusal is logged. */
export const refusesOrderCash = async (tx: Db, orderId: number, { amount, drawer }: OrderCash, clerk: Actor): Promise<boolean> =>
  drawer !== null && refusesCash(tx, clerk, drawer.shift, cashMove(orderId, amount, drawer.lang))

/** Records the cash in the drawer, where there is one. */
export async function moveOrderCash(tx: Db, orderId: number, { amount, drawer }: OrderCash, clerk: Actor, now: Date): Promise<void> {
  if (drawer) await moveDrawerCash(tx, clerk, drawer.shift, cashMove(orderId, amount, drawer.lang), now)
}

function cashMove(orderId: number, amount: Poisha, lang: Lang): CashMove {
  const key = amount < 0 ? 'admin-orders.drawer-refunds' : 'admin-orders.drawer-payments'
  return { amount, reason: translate(lang)(key, { id: localizeDigits(lang, String(orderId)) }) }
}
