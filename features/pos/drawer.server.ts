import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Poisha, poishaToTaka } from '#lib/format/money.ts'
export type { OpenShift } from './shift-queries.server.ts'
import { cashInDrawer, findOpenShift, type OpenShift, sumShift } from './shift-queries.server.ts'

// Cash that goes into the drawer of an open shift or comes out of it, besides sales and returns.

/** Locks the open shift of a member of staff, whose drawer takes the cash; null without one. Before orders in the lock order. */
export const lockDrawer = (tx: Db, clerk: Actor): Promise<OpenShift | null> => findOpenShift(tx, clerk.id, 'update')

/** Negative amounts leave the drawer. */
export interface CashMove {
  amount: Poisha
  reason: string
}

/** Whether the drawer holds less than what is to leave it. */
export async function exceedsDrawer(tx: Db, shift: OpenShift, { amount }: CashMove): Promise<boolean> {
  return amount < 0 && -amount > cashInDrawer(shift, await sumShift(tx, shift.id))
}

/** Logs cash that the drawer did not hold: a refusal tells a cashier who counts blind what is there. */
export function logRefusedCash(tx: Db, clerk: Actor, shift: OpenShift, { amount, reason }: CashMove): Promise<void> {
  const after = { cash: poishaToTaka(amount), reason, refused: true }
  return audit(tx, clerk, { action: 'changed', subject: 'shift', id: shift.id, after })
}

/** The same with the check: true and logged where the drawer holds less. */
export async function refusesCash(tx: Db, clerk: Actor, shift: OpenShift, move: CashMove): Promise<boolean> {
  if (!(await exceedsDrawer(tx, shift, move))) return false
  await logRefusedCash(tx, clerk, shift, move)
  return true
}

/** Writes to the audit log that the cashier opened the drawer without a sale; false without an open shift. */
export function recordDrawerOpening(db: Db, clerk: Actor): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const shift = await findOpenShift(tx, clerk.id)
    if (shift) await audit(tx, clerk, { action: 'changed', subject: 'shift', id: shift.id, after: { drawer_opened: true } })
    return shift !== null
  })
}

/** Records cash into the drawer, or out of it. */
export async function moveDrawerCash(tx: Db, clerk: Actor, shift: OpenShift, { amount, reason }: CashMove, now: Date): Promise<void> {
  await tx.insertInto('pos_cash_movements').values({ shift_id: shift.id, amount_poisha: amount, reason, at: now }).execute()
  await audit(tx, clerk, { action: 'changed', subject: 'shift', id: shift.id, after: { cash: poishaToTaka(amount), reason } })
}
